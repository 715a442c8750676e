//! JSON equality, numbers that keep their value, writing a document back, and its canonical form.
//!
//! Decides when two documents are the same (property 3): objects unordered, arrays ordered, strings by code point
//! without normalisation, numbers by mathematical value (`1.0` is `1`), absent is not `null`. Writing keeps the order of
//! keys and the text of numbers. The canonical form is RFC 8785. Recursion is bounded by the depth that reading allows.
//! O(n log n). Source: RFC 8259, RFC 8785, ECMA-262 Number::toString.

use std::cmp::Ordering;

use crate::json::{Kind, Val, quote};

/// A decimal number: `0.DIGITS` times ten to `exponent`. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads the text of a JSON number, of any length.
    pub(super) fn read(text: &str) -> Self {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let power = power.trim_start_matches('+');
        // Beyond i64 only the sign of the power matters: no text is long enough to make up for it.
        let power = power.parse::<i64>().unwrap_or(if power.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 });
        let digits = format!("{whole}{fraction}");
        let leading = digits.len() - digits.trim_start_matches('0').len();
        let significant = digits.trim_matches('0').to_owned();
        if significant.is_empty() {
            return Self { negative: false, digits: significant, exponent: 0 };
        }
        let exponent = power.saturating_add(whole.len() as i64).saturating_sub(leading as i64);
        Self { negative, digits: significant, exponent }
    }
}

/// What happens to a number in readers that hold numbers as 64-bit floats or integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fidelity {
    Exact,
    /// A 64-bit integer that JavaScript would change.
    BeyondDouble,
    /// No common reader keeps it.
    Lossy,
    /// Larger than any 64-bit float.
    OutOfRange,
}

/// Judges the text of a JSON number.
pub(super) fn fidelity(text: &str) -> Fidelity {
    let Ok(float) = text.parse::<f64>() else { return Fidelity::OutOfRange };
    if !float.is_finite() {
        return Fidelity::OutOfRange;
    }
    let (shortest, own) = (Decimal::read(&format!("{float:e}")), Decimal::read(text));
    // Of two texts that are equally short and equally near, languages write different ones: either is kept. A whole
    // number without zeros at its end is more than its shortest text, and has to be the same to the last digit.
    let whole = own.exponent == own.digits.len() as i64;
    if own == shortest || (!whole && own.digits.len() <= shortest.digits.len()) {
        return Fidelity::Exact;
    }
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() { Fidelity::BeyondDouble } else { Fidelity::Lossy }
}

/// JSON equality.
pub fn equals(a: Val<'_>, b: Val<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Number, Kind::Number) => a.raw() == b.raw() || Decimal::read(a.raw()) == Decimal::read(b.raw()),
        (Kind::String, Kind::String) => a.as_str() == b.as_str(),
        (Kind::Array, Kind::Array) => {
            let mut theirs = b.items();
            a.items().all(|x| theirs.next().is_some_and(|y| equals(x, y))) && theirs.next().is_none()
        }
        (Kind::Object, Kind::Object) => {
            let (mine, theirs) = (sorted(a), sorted(b));
            mine.len() == theirs.len() && mine.iter().zip(&theirs).all(|(x, y)| x.0 == y.0 && equals(x.1, y.1))
        }
        (Kind::Opaque, Kind::Opaque) => a.raw() == b.raw(),
        (x, y) => x == y,
    }
}

/// Members by key, in the order of UTF-16 code units (RFC 8785 section 3.2.3).
fn sorted(object: Val<'_>) -> Vec<(String, Val<'_>)> {
    let mut members: Vec<(String, Val<'_>)> = object.entries().map(|(k, v)| (k.into_owned(), v)).collect();
    members.sort_by(|a, b| utf16(&a.0, &b.0));
    members
}

fn utf16(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Writes a value with two spaces of indentation: keys in their order, numbers with their text.
pub(super) fn write(val: Val<'_>, indent: usize, out: &mut String) {
    let line = |out: &mut String, indent: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", indent));
    };
    match val.kind() {
        Kind::Object if !val.is_empty() => {
            for (i, (key, member)) in val.entries().enumerate() {
                out.push(if i == 0 { '{' } else { ',' });
                line(out, indent + 1);
                out.push_str(&quote(&key));
                out.push_str(": ");
                write(member, indent + 1, out);
            }
            line(out, indent);
            out.push('}');
        }
        Kind::Array if !val.is_empty() => {
            for (i, member) in val.items().enumerate() {
                out.push(if i == 0 { '[' } else { ',' });
                line(out, indent + 1);
                write(member, indent + 1, out);
            }
            line(out, indent);
            out.push(']');
        }
        Kind::Object => out.push_str("{}"),
        Kind::Array => out.push_str("[]"),
        Kind::String => out.push_str(&quote(&val.text())),
        _ => out.push_str(val.raw()),
    }
}

/// Writes the canonical form (RFC 8785); false when a number has none, because a 64-bit float would change it.
pub(super) fn write_canonical(val: Val<'_>, out: &mut String) -> bool {
    match val.kind() {
        Kind::Object => {
            out.push('{');
            for (i, (key, member)) in sorted(val).iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                canonical_text(key, out);
                out.push(':');
                if !write_canonical(*member, out) {
                    return false;
                }
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (i, member) in val.items().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                if !write_canonical(member, out) {
                    return false;
                }
            }
            out.push(']');
        }
        Kind::String => canonical_text(&val.text(), out),
        Kind::Number => match val.raw().parse::<f64>() {
            Ok(float) if fidelity(val.raw()) == Fidelity::Exact => out.push_str(&canonical_number(float)),
            _ => return false,
        },
        Kind::Opaque => return false,
        Kind::Null | Kind::True | Kind::False => out.push_str(val.raw()),
    }
    true
}

/// A string as ECMA-262's JSON.stringify writes it: the two short escapes that `quote` leaves out.
fn canonical_text(text: &str, out: &mut String) {
    let quoted = quote(text);
    if text.contains(['\u{8}', '\u{c}']) {
        out.push_str(&quoted.replace("\\u0008", "\\b").replace("\\u000c", "\\f"));
    } else {
        out.push_str(&quoted);
    }
}

/// Of two shortest texts that are equally near ECMA-262 takes the even one, Rust any. Looks only at odd ones.
fn even(float: f64, shortest: Decimal) -> Decimal {
    let count = shortest.digits.len();
    if !shortest.digits.ends_with(['1', '3', '5', '7', '9']) {
        return shortest;
    }
    // Every digit of the float: no more than 767 are significant.
    let exact = Decimal::read(&format!("{float:.770e}"));
    let Some((head, tail)) = exact.digits.split_at_checked(count) else { return shortest };
    // Midway between two texts: the upper one is ours and odd, so the lower one is even, or the other way round.
    let mut digits: Vec<u8> = head.bytes().collect();
    if tail != "5" || digits.iter().all(|b| *b == b'9') {
        return shortest;
    }
    if digits.last().is_some_and(|b| b % 2 == 1) {
        for digit in digits.iter_mut().rev() {
            *digit = if *digit == b'9' { b'0' } else { *digit + 1 };
            if *digit != b'0' {
                break;
            }
        }
    }
    let digits: String = digits.into_iter().map(char::from).collect();
    let other = Decimal { digits: digits.trim_end_matches('0').to_owned(), ..shortest.clone() };
    let sign = if other.negative { "-" } else { "" };
    let reads = format!("{sign}0.{}e{}", other.digits, other.exponent).parse::<f64>() == Ok(float);
    if reads { other } else { shortest }
}

/// A number as ECMA-262's Number::toString writes it.
fn canonical_number(float: f64) -> String {
    if float == 0.0 {
        return "0".to_owned();
    }
    let Decimal { negative, digits, exponent } = even(float, Decimal::read(&format!("{float:e}")));
    let sign = if negative { "-" } else { "" };
    let count = digits.len() as i64;
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    let split = |at: i64| digits.split_at(usize::try_from(at).unwrap_or(0).min(digits.len()));
    if (count..=21).contains(&exponent) {
        format!("{sign}{digits}{}", zeros(exponent - count))
    } else if (1..=21).contains(&exponent) {
        let (whole, fraction) = split(exponent);
        format!("{sign}{whole}.{fraction}")
    } else if (-5..=0).contains(&exponent) {
        format!("{sign}0.{}{digits}", zeros(-exponent))
    } else {
        let (first, rest) = split(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let power = exponent - 1;
        format!("{sign}{first}{dot}{rest}e{}{power}", if power > 0 { "+" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tape;

    #[track_caller]
    fn same(a: &str, b: &str, expected: bool) {
        let (mut x, mut y) = (Tape::new(), Tape::new());
        assert_eq!(equals(x.parse(a).root(), y.parse(b).root()), expected, "{a} and {b}");
    }

    #[test]
    fn equality_is_of_values() {
        same("1", "1.0", true);
        same("-0", "0", true);
        same("100", "1e2", true);
        same("1e99999999999999999999", "1", false);
        same("0.1", "0.10000000000000001", false);
        same(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true);
        same(r#"{"a":null}"#, "{}", false);
        same("[1,2]", "[2,1]", false);
        same("[1]", "[1,1]", false);
        same(r#""é""#, "\"e\u{301}\"", false);
        same(r#""\u00e9""#, r#""é""#, true);
    }

    #[test]
    fn numbers_that_change_are_told() {
        for (text, expected) in [
            ("0.1", Fidelity::Exact),
            ("1e30", Fidelity::Exact),
            ("-0", Fidelity::Exact),
            ("9007199254740992", Fidelity::Exact),
            ("9007199254740993", Fidelity::BeyondDouble),
            ("123456789012345678901234567890", Fidelity::Lossy),
            ("0.12345678901234567890123", Fidelity::Lossy),
            ("1e-400", Fidelity::Lossy),
            ("0.10000000000000001", Fidelity::Lossy),
            // Exactly between two shortest texts.
            ("1533540053110931.2", Fidelity::Exact),
            ("1533540053110931.3", Fidelity::Exact),
            ("12345678901234567000", Fidelity::Exact),
            ("1e400", Fidelity::OutOfRange),
        ] {
            assert_eq!(fidelity(text), expected, "{text}");
        }
    }

    /// The samples of RFC 8785, appendix B and section 3.2.3.
    #[test]
    fn canonical_form() {
        for (float, text) in [
            (333_333_333.333_333_3, "333333333.3333333"),
            (1e30, "1e+30"),
            (4.5, "4.5"),
            (2e-3, "0.002"),
            (1e-27, "1e-27"),
            (1e21, "1e+21"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (9.999_999_999_999_997e-7, "9.999999999999997e-7"),
            (0.000_001, "0.000001"),
            (-0.0, "0"),
            // Midway between .2 and .3: the even one.
            (1_533_540_053_110_931.2, "1533540053110931.2"),
            (1_582_933_028_330_736.2, "1582933028330736.2"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (-1.5e300, "-1.5e+300"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(canonical_number(float), text);
        }
        let mut tape = Tape::new();
        let text = "{\"\u{20ac}\":1.0,\"\\r\":2,\"\u{fb33}\":3,\"1\":4,\"\u{1f600}\":5,\"\u{80}\":\"\\b\\u000f\",\"\u{f6}\":[56.0]}";
        let mut out = String::new();
        assert!(write_canonical(tape.parse(text).root(), &mut out));
        assert_eq!(
            out,
            "{\"\\r\":2,\"1\":4,\"\u{80}\":\"\\b\\u000f\",\"\u{f6}\":[56],\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
        );
        assert!(!write_canonical(tape.parse("9007199254740993").root(), &mut String::new()));
    }
}
