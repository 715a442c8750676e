//! Tokens and cost in the words of every writer: one table of names, and two questions that no name answers.
//!
//! [`Usage`] counts the cache as part of the input and reasoning as part of the output. Anthropic, OpenCode, Pi and
//! Cline leave the cache out of the input; Google and Langfuse leave reasoning out of the output. O(names).

use crate::json::Val;
use crate::model::{CostKind, Usage};

const INPUT: &[&[&str]] = &[
    &["prompt_tokens"],
    &["input_tokens"],
    &["inputTokens"],
    &["promptTokens"],
    &["promptTokenCount"],
    &["prompt_token_count"],
    &["tokensIn"],
    &["input"],
];
const OUTPUT: &[&[&str]] = &[
    &["completion_tokens"],
    &["output_tokens"],
    &["outputTokens"],
    &["completionTokens"],
    &["candidatesTokenCount"],
    &["candidates_token_count"],
    &["tokensOut"],
    &["output"],
];
const CACHED: &[&[&str]] = &[
    &["prompt_tokens_details", "cached_tokens"],
    &["input_tokens_details", "cached_tokens"],
    &["input_token_details", "cache_read"],
    &["cache_read_input_tokens"],
    &["cache_read_tokens"],
    &["cachedInputTokens"],
    &["cachedContentTokenCount"],
    &["cached_content_token_count"],
    &["cacheReadTokens"],
    &["cacheReads"],
    &["cacheRead"],
    &["cache", "read"],
    &["input_tokens_cache_read"],
    &["input_cache_read"],
    &["input_cached_tokens"],
    &["cached"],
];
const WRITTEN: &[&[&str]] = &[
    &["cache_creation_input_tokens"],
    &["input_token_details", "cache_creation"],
    &["cache_write_tokens"],
    &["input_tokens_cache_write"],
    &["cacheWriteTokens"],
    &["cacheWrites"],
    &["cacheWrite"],
    &["cache", "write"],
];
const REASONING: &[&[&str]] = &[
    &["completion_tokens_details", "reasoning_tokens"],
    &["output_tokens_details", "reasoning_tokens"],
    &["output_token_details", "reasoning"],
    &["output_reasoning_tokens"],
    &["reasoning_tokens"],
    &["output_reasoning"],
    &["reasoningTokens"],
    &["thoughtsTokenCount"],
    &["thoughts_token_count"],
    &["thoughts"],
    &["reasoning"],
];
const TOTAL: &[&[&str]] = &[&["total_tokens"], &["totalTokens"], &["total"]];
const COST: &[&[&str]] = &[&["cost", "total"], &["cost"], &["total_cost"], &["totalCost"]];

fn number(val: Val<'_>, names: &[&[&str]]) -> Option<f64> {
    names.iter().find_map(|path| {
        let (last, before) = path.split_last()?;
        val.path(before)?.f64(last)
    })
}

/// The usage as its names say; nobody leaves anything out of the sums except where the names tell.
pub fn usage_in(val: Val<'_>) -> Usage {
    let anthropic =
        val.has("cache_creation_input_tokens") && !val.has("prompt_tokens") && !val.has("input_tokens_details");
    let outside =
        anthropic || val.has("cacheRead") || val.has("cacheReadTokens") || val.has("cacheReads") || val.has("cache");
    // Where there is a total, it tells whether the cache is inside.
    let whole = |names| number(val, names).unwrap_or(0.0);
    let (cache, total) = (whole(CACHED) + whole(WRITTEN), number(val, TOTAL));
    let outside = outside || (cache > 0.0 && total == Some(whole(INPUT) + whole(OUTPUT) + cache));
    let apart =
        ["thoughts", "thoughtsTokenCount", "thoughts_token_count", "output_reasoning"].iter().any(|k| val.has(k))
            || (val.has("cache") && val.has("reasoning"));
    usage_with(val, outside, apart)
}

/// The usage where the caller knows whether the input leaves the cache out and the output the reasoning.
pub fn usage_with(val: Val<'_>, cache_outside: bool, reasoning_outside: bool) -> Usage {
    let whole = |names| number(val, names).filter(|n| *n >= 0.0).map(|n| n as u64);
    let (cached, cache_write, reasoning) = (whole(CACHED), whole(WRITTEN), whole(REASONING));
    let mut input = whole(INPUT);
    let mut output = whole(OUTPUT);
    if cache_outside {
        input = input.map(|n| n.saturating_add(cached.unwrap_or(0)).saturating_add(cache_write.unwrap_or(0)));
    }
    if reasoning_outside {
        output = output.map(|n| n.saturating_add(reasoning.unwrap_or(0)));
    }
    Usage { input, output, cached, cache_write, reasoning, cost: number(val, COST), cost_kind: CostKind::Reported }
}
