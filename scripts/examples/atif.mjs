// An ATIF trajectory: a research agent counts bird rings with the help of a sub-agent that is embedded in the file.

import { Tally } from './tally.mjs';

const ID = 'atif-ring-counts';
const START = Date.UTC(2026, 1, 20, 7, 30, 0);

class Trajectory {
  steps = [];
  prompt = 0;
  completion = 0;
  cached = 0;
  cost = 0;

  constructor(tally, at) {
    this.tally = tally;
    this.at = at;
  }

  #next(step) {
    this.steps.push({ step_id: this.steps.length + 1, timestamp: new Date(this.at).toISOString(), ...step });
    this.at += 14_000;
  }

  say(source, message) {
    this.tally.step(this.at);
    this.#next({ source, message });
  }

  /** One turn of the agent: `calls` are [name, arguments, result, extra]. */
  turn(message, reasoning, calls, [prompt, completion, cached, cost]) {
    if (reasoning) this.tally.step(this.at);
    if (message) this.tally.step(this.at);
    const tool_calls = [];
    const results = [];
    for (const [function_name, args, content, extra = {}, more = {}] of calls) {
      const id = `c${this.steps.length + 1}-${tool_calls.length + 1}`;
      this.tally.call(this.at);
      this.tally.result(this.at, extra.is_error === true);
      tool_calls.push({ tool_call_id: id, function_name, arguments: args });
      results.push({ source_call_id: id, content, ...more, ...(Object.keys(extra).length > 0 ? { extra } : {}) });
    }
    this.tally.usage(prompt, completion, cached);
    this.tally.paid(cost);
    this.prompt += prompt;
    this.completion += completion;
    this.cached += cached;
    this.cost += cost;
    this.#next({
      source: 'agent',
      model_name: 'kestrel-2-large',
      message,
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(tool_calls.length > 0 ? { tool_calls, observation: { results } } : {}),
      metrics: { prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached, cost_usd: cost },
      llm_call_count: 1,
    });
  }

  document(id, name) {
    return {
      schema_version: 'ATIF-v1.7',
      session_id: 'rings-2026-02-20',
      trajectory_id: id,
      agent: { name, version: '3.2.0', model_name: 'kestrel-2-large' },
      steps: this.steps,
      final_metrics: {
        total_prompt_tokens: this.prompt,
        total_completion_tokens: this.completion,
        total_cached_tokens: this.cached,
        total_cost_usd: Number(this.cost.toFixed(6)),
        total_steps: this.steps.length,
      },
    };
  }
}

export function atif() {
  const tally = new Tally();
  const main = new Trajectory(tally, START);
  main.say('system', 'You answer questions about the ring register. Name the query behind every figure.');
  main.say('user', 'How many swifts were ringed at Holm Point in each of the last three years, and how many of them were seen again?');
  main.turn('I will look at the tables first.', 'Which tables are there? Ringings and sightings are probably apart.', [
    ['list_tables', {}, 'ringings (ring, species, site, ringed_on)\nsightings (ring, seen_on, site)\nsites (id, name)'],
    ['run_query', { sql: "SELECT id FROM sites WHERE name = 'Holm Point'" }, 'id\n17'],
  ], [2_140, 96, 1_024, 0.0071]);
  main.turn('', 'Count by year. Species is free text: look at the spellings.', [
    ['run_query', { sql: "SELECT species, count(*) FROM ringings WHERE site = 17 AND species LIKE '%swift%' GROUP BY species ORDER BY 2 DESC" }, 'species | count\nswift | 211\ncommon swift | 64\nalpine swift | 3'],
  ], [2_420, 71, 2_048, 0.0068]);
  main.turn('Two spellings mean the same bird. A helper should check that the sightings have no spelling of their own.', '', [
    ['delegate', { task: 'Check whether ring numbers in sightings match those in ringings without change of case or spaces.' }, 'Ring numbers in sightings carry a space after the prefix in 12 % of the rows; without spaces all match.', {}, { subagent_trajectory_ref: [{ trajectory_id: 'rings-helper' }] }],
  ], [2_610, 118, 2_048, 0.0079]);

  // Its steps are shown behind the call; its tokens are part of the run.
  const helper = new Trajectory(tally, main.at - 13_000);
  helper.say('user', 'Check whether ring numbers in sightings match those in ringings without change of case or spaces.');
  helper.turn('', '', [
    ['run_query', { sql: 'SELECT count(*) FROM sightings s JOIN ringings r ON s.ring = r.ring' }, 'count\n5412'],
    ['run_query', { sql: 'SELECT count(*) FROM sightings' }, 'count\n6150'],
  ], [880, 74, 0, 0.0036]);
  helper.at = main.at - 8_000;
  helper.turn('Ring numbers in sightings carry a space after the prefix in 12 % of the rows; without spaces all match.', '', [
    ['run_query', { sql: "SELECT count(*) FROM sightings s JOIN ringings r ON replace(s.ring, ' ', '') = r.ring" }, 'count\n6150'],
  ], [1_010, 61, 768, 0.0029]);

  main.turn('', '', [
    ['run_query', { sql: "SELECT year(ringed_on), count(*) FROM ringings WHERE site = 17 AND species IN ('swift', 'common swift') GROUP BY 1" }, 'Error: function year(date) does not exist. Use extract(year from …).', { is_error: true }],
  ], [2_890, 64, 2_560, 0.0066]);
  main.turn('', 'The database wants extract().', [
    ['run_query', { sql: "SELECT extract(year FROM ringed_on) AS y, count(*) AS ringed, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM sightings s WHERE replace(s.ring, ' ', '') = r.ring)) AS seen FROM ringings r WHERE site = 17 AND species IN ('swift', 'common swift') GROUP BY 1 ORDER BY 1 DESC LIMIT 3" }, 'y | ringed | seen\n2025 | 98 | 31\n2024 | 91 | 38\n2023 | 86 | 40'],
  ], [3_050, 142, 2_560, 0.0088]);
  main.turn('| year | ringed | seen again |\n|---|---|---|\n| 2025 | 98 | 31 |\n| 2024 | 91 | 38 |\n| 2023 | 86 | 40 |\n\n"swift" and "common swift" are counted as one bird, the 3 alpine swifts are not. Ring numbers were compared without spaces.', '', [], [3_320, 121, 3_072, 0.0062]);

  const document = { ...main.document('rings-main', 'ring-register'), subagent_trajectories: [helper.document('rings-helper', 'ring-helper')] };
  return {
    id: ID,
    title: { en: 'ATIF: questions to a register', 'zh-Hant': 'ATIF：查詢登記資料' },
    note: { en: 'A research agent with an embedded sub-agent, and what it cost', 'zh-Hant': '內嵌子代理的研究代理，附成本' },
    contents: { 'trajectory.json': `${JSON.stringify(document, null, 1)}\n` },
    expect: { format: 'atif', runs: [tally.figures()] },
  };
}
