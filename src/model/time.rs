//! Moments as the many logs write them. O(length of the text), no allocation: importers call this once a record.

/// Milliseconds since 1970-01-01, with a note when the file did not say which zone it meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    pub ms: i64,
    /// True for a local time without a zone: shown as such, never converted.
    pub local: bool,
}

impl Time {
    /// `2026-01-01T00:00:00.000Z`, a local time as if it were UTC; `None` outside the years 0 to 9999, which RFC 3339
    /// has no text for.
    pub fn rfc3339(self) -> Option<String> {
        let (days, ms) = (self.ms.div_euclid(86_400_000), self.ms.rem_euclid(86_400_000));
        // The other way round of `days_from_civil`.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        (0..=9999)
            .contains(&year)
            .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000))
    }
}

/// Reads `2026-01-01T00:00:00.000Z`, with `T` or a space, any fraction, `Z`, an offset or no zone at all.
pub fn parse_time(text: &str) -> Option<Time> {
    let bytes = text.trim().as_bytes();
    let num = |from: usize, len: usize| -> Option<i64> {
        bytes
            .get(from..from + len)?
            .iter()
            .try_fold(0i64, |acc, b| b.is_ascii_digit().then(|| acc * 10 + i64::from(b - b'0')))
    };
    let is = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|b| wanted.contains(b));
    if !is(4, b"-") || !is(7, b"-") {
        return None;
    }
    let (year, month, day) = (num(0, 4)?, num(5, 2)?, num(8, 2)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    if bytes.len() == 10 {
        return Some(Time { ms: days_from_civil(year, month, day) * 86_400_000, local: true });
    }
    if !is(10, b"Tt ") || !is(13, b":") || !is(16, b":") {
        return None;
    }
    let (hour, minute, second) = (num(11, 2)?, num(14, 2)?, num(17, 2)?);
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    let mut ms = 0i64;
    if is(at, b".,") {
        at += 1;
        let mut scale = 100;
        while let Some(b) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
            ms += i64::from(b - b'0') * scale;
            scale /= 10;
            at += 1;
        }
    }
    let mut local = false;
    let mut offset = 0i64;
    match bytes.get(at) {
        None => local = true,
        Some(b'Z' | b'z') => {}
        Some(&sign @ (b'+' | b'-')) => {
            let hours = num(at + 1, 2)?;
            let minutes = if is(at + 3, b":") { num(at + 4, 2)? } else { num(at + 3, 2).unwrap_or(0) };
            offset = (hours * 60 + minutes) * if sign == b'-' { -1 } else { 1 };
        }
        Some(_) => return None,
    }
    let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset * 60;
    Some(Time { ms: seconds * 1000 + ms, local })
}

/// Reads an epoch number, telling seconds, milliseconds, microseconds and nanoseconds apart by size.
pub fn parse_epoch(n: f64) -> Option<Time> {
    if !n.is_finite() || n <= 0.0 {
        return None;
    }
    let ms = match n {
        n if n < 1e11 => n * 1e3,
        n if n < 1e14 => n,
        n if n < 1e17 => n / 1e3,
        n => n / 1e6,
    };
    (ms < 2.5e14).then_some(Time { ms: ms.round() as i64, local: false })
}

/// Days since 1970-01-01 of a Gregorian date (the usual era arithmetic).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let shifted = (month + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ms: i64, local: bool) {
        assert_eq!(parse_time(text), Some(Time { ms, local }), "{text}");
    }

    #[test]
    fn reads_the_clocks_of_the_logs() {
        check("1970-01-01T00:00:00Z", 0, false);
        check("2026-01-01T00:00:00.000Z", 1_767_225_600_000, false);
        check("2026-01-01T01:00:00+01:00", 1_767_225_600_000, false);
        check("2026-01-01T00:00:00.123456", 1_767_225_600_123, true);
        check("2026-01-01 00:00:00", 1_767_225_600_000, true);
        check("2024-02-29T12:00:00Z", 1_709_208_000_000, false);
        for bad in ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01T99:00:00Z", "20260101", "2026-01-01Tx"] {
            assert_eq!(parse_time(bad), None, "{bad}");
        }
    }

    #[test]
    fn writes_what_it_reads() {
        for ms in [0, -1, 1_767_225_600_123, 1_709_208_000_000, -62_135_596_800_000, 253_402_300_799_999] {
            let text = Time { ms, local: false }.rfc3339().unwrap_or_default();
            assert_eq!(parse_time(&text), Some(Time { ms, local: false }), "{text}");
        }
        assert_eq!(Time { ms: 1_767_225_600_000, local: true }.rfc3339().as_deref(), Some("2026-01-01T00:00:00.000Z"));
        for ms in [i64::MIN, i64::MAX, 253_402_300_800_000] {
            assert_eq!(Time { ms, local: false }.rfc3339(), None, "{ms}");
        }
    }

    #[test]
    fn tells_epochs_apart_by_size() {
        for n in [1_767_225_600.0, 1_767_225_600_000.0, 1_767_225_600_000_000.0, 1_767_225_600_000_000_000.0] {
            assert_eq!(parse_epoch(n).map(|t| t.ms), Some(1_767_225_600_000), "{n}");
        }
        assert_eq!(parse_epoch(0.0), None);
        assert_eq!(parse_epoch(f64::NAN), None);
    }
}
