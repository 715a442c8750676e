//! How numbers read: one place for counts, durations, bytes, money and shares. Unknown is `–`.

/// What stands for an unknown figure.
pub const UNKNOWN: &str = "–";

/// `1,204`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `16.79 M`, `845 k`, `9,204`: for figures in headers.
pub fn short_count(n: u64) -> String {
    match n {
        0..=99_999 => count(n),
        100_000..=999_499 => format!("{} k", (n as f64 / 1e3).round()),
        _ if n < 999_500_000 => format!("{:.2} M", n as f64 / 1e6),
        _ => format!("{:.2} G", n as f64 / 1e9),
    }
}

/// `0.3 s`, `24.7 s`, `2 m 05 s`, `3 h 04 m`.
pub fn duration(ms: f64) -> String {
    if !ms.is_finite() || ms < 0.0 {
        return UNKNOWN.into();
    }
    let s = ms / 1000.0;
    if s < 59.95 {
        return format!("{s:.1} s");
    }
    let whole = s.round() as u64;
    if whole < 3600 {
        return format!("{} m {:02} s", whole / 60, whole % 60);
    }
    format!("{} h {:02} m", count(whole / 3600), whole % 3600 / 60)
}

/// `19:26` or `1:02:03`, from the run's beginning.
pub fn clock(ms: f64) -> String {
    if !ms.is_finite() || ms < 0.0 {
        return UNKNOWN.into();
    }
    let s = (ms / 1000.0) as u64;
    if s < 3600 {
        format!("{}:{:02}", s / 60, s % 60)
    } else {
        format!("{}:{:02}:{:02}", s / 3600, s % 3600 / 60, s % 60)
    }
}

/// `108 KB`, `3.2 MB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..=999 => format!("{n} B"),
        1000..=999_499 => format!("{} KB", (n as f64 / 1e3).round()),
        _ if n < 999_500_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.2} GB", n as f64 / 1e9),
    }
}

/// `$0.0105`, `$28.58`.
pub fn money(dollars: f64) -> String {
    if !dollars.is_finite() {
        return UNKNOWN.into();
    }
    if dollars != 0.0 && dollars.abs() < 0.1 { format!("${dollars:.4}") } else { format!("${dollars:.2}") }
}

/// `98.6 %`.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return UNKNOWN.into();
    }
    let p = share * 100.0;
    if p == p.round() || p >= 99.95 { format!("{p:.0} %") } else { format!("{p:.1} %") }
}

/// `abc…xyz.jsonl`: the middle goes, so that the end of a file name stays.
pub fn middle(text: &str, max: usize) -> String {
    let n = text.chars().count();
    if n <= max || max < 5 {
        return text.to_owned();
    }
    let tail = (max - 1) / 2;
    let head = max - 1 - tail;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(n - tail)).collect()
}

/// The first line, at most `max` characters, white space folded.
pub fn one_line(text: &str, max: usize) -> String {
    let mut out = String::new();
    let mut n = 0;
    let mut space = false;
    for c in text.trim_start().chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if n >= max {
            out.push('…');
            return out;
        }
        if space && !out.is_empty() {
            out.push(' ');
            n += 1;
        }
        space = false;
        out.push(if c.is_control() { '\u{FFFD}' } else { c });
        n += 1;
    }
    out
}

/// `2026-01-31 14:05:09`, in UTC unless the file's time has no zone.
pub fn moment(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000);
    let s = ms.rem_euclid(86_400_000) / 1000;
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z - era * 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", s / 3600, s % 3600 / 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_a_person_would_write_them() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1204), "1,204");
        assert_eq!(count(12_773_747), "12,773,747");
        assert_eq!(short_count(16_790_991), "16.79 M");
        assert_eq!(short_count(49_467), "49,467");
        assert_eq!(duration(300.0), "0.3 s");
        assert_eq!(duration(59_960.0), "1 m 00 s");
        assert_eq!(duration(3_183_000.0), "53 m 03 s");
        assert_eq!(duration(11_040_000.0), "3 h 04 m");
        assert_eq!(duration(-1.0), UNKNOWN);
        assert_eq!(clock(1_166_000.0), "19:26");
        assert_eq!(bytes(110_381), "110 KB");
        assert_eq!(money(28.58), "$28.58");
        assert_eq!(money(0.0105), "$0.0105");
        assert_eq!(percent(0.9859), "98.6 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(
            middle("abcdefghij.jsonl", 9),
            "abcd….jsonl".chars().take(5).chain("sonl".chars()).collect::<String>()
        );
        assert_eq!(one_line("  a\n b\tc ", 10), "a b c");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(moment(1_709_208_000_000), "2024-02-29 12:00:00");
    }
}
