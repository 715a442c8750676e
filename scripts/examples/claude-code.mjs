// A Claude Code session: an option is added to a small program that prints tide tables, and the commit is refused five
// times by a checker that reads what is staged, while the agent keeps changing what is not.

import { Tally, mark, tokens, uuid } from './tally.mjs';
import { png } from './picture.mjs';

const ID = 'claude-code-commit-loop';
const SESSION = uuid('tidemark', 1);
const AGENT = 'a7c41de';
const CWD = '/home/dev/tidemark';
const MODEL = 'claude-opus-4-6';
const START = Date.UTC(2026, 2, 14, 9, 12, 4);
const ESC = '\u001b[';
const red = (t) => `${ESC}31m${t}${ESC}0m`;
const green = (t) => `${ESC}32m${t}${ESC}0m`;
const bold = (t) => `${ESC}1m${t}${ESC}0m`;

/** One file of the session: its lines, its clock, what its model has read so far. */
class Log {
  lines = [];
  count = 0;
  messages = 0;
  parent = null;
  context = 0;

  constructor(tally, at, side) {
    this.tally = tally;
    this.at = at;
    this.side = side;
    this.context = side ? 6_240 : 14_310;
    this.cachedUpTo = side ? 0 : 11_442;
    this.pending = 0;
  }

  wait(seconds) {
    this.at += Math.round(seconds * 1000);
    return this;
  }

  line(type, more) {
    this.count += 1;
    const id = uuid(`${this.side ?? 'main'}-line`, this.count);
    const head = {
      type,
      uuid: id,
      parentUuid: more.parentUuid === undefined ? this.parent : more.parentUuid,
      isSidechain: Boolean(this.side),
      ...(this.side ? { agentId: this.side } : {}),
      cwd: CWD,
      sessionId: SESSION,
      version: '2.1.39',
      gitBranch: 'since-option',
      timestamp: new Date(this.at).toISOString(),
    };
    delete more.parentUuid;
    this.lines.push(JSON.stringify({ ...head, ...more }));
    this.parent = id;
    return id;
  }

  /** Lines that carry no step: they go by unread. */
  noise(record) {
    this.lines.push(JSON.stringify({ ...record, sessionId: SESSION, timestamp: new Date(this.at).toISOString() }));
  }

  user(content, more = {}) {
    this.pending += tokens(typeof content === 'string' ? content : JSON.stringify(content));
    this.tally.step(this.at);
    return this.line('user', { message: { role: 'user', content }, ...more });
  }

  /** One answer of the model: thoughts, words and calls, each on a line of its own with a snapshot of the usage. */
  answer(...blocks) {
    this.messages += 1;
    const id = `msg_01${mark(`${this.side ?? 'main'}-message`, this.messages)}`;
    const request = `req_011${mark(`${this.side ?? 'main'}-request`, this.messages, 21)}`;
    const fresh = 3 + (this.messages % 5);
    const read = this.cachedUpTo;
    this.context += this.pending;
    const written = this.context - read;
    this.cachedUpTo = this.context;
    const said = blocks.reduce((n, b) => n + tokens(JSON.stringify(b.block)), 0);
    const usage = (output) => ({
      input_tokens: fresh,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: output,
    });
    this.tally.usage(fresh + written + read, said, read);
    let done = 0;
    blocks.forEach((b, i) => {
      const last = i === blocks.length - 1;
      done += tokens(JSON.stringify(b.block));
      this.wait(b.seconds ?? 5.6 + (this.messages % 7) * 0.9 + done / 11);
      const block = { ...b.block };
      if (block.type === 'tool_use') {
        block.id = b.id = `toolu_01${mark(`${this.side ?? 'main'}-call`, this.count)}`;
        b.line = null;
        this.tally.call(this.at, b.loop);
      } else {
        this.tally.step(this.at);
      }
      // Snapshots before the last are of a message that is still being written.
      const snapshot = last ? said : Math.max(1, Math.floor(done / 9));
      b.line = this.line('assistant', {
        requestId: request,
        message: {
          id,
          type: 'message',
          role: 'assistant',
          model: MODEL,
          content: [block],
          stop_reason: null,
          usage: usage(snapshot),
        },
      });
    });
    this.pending = said;
    for (const b of blocks.filter((b) => b.block.type === 'tool_use')) this.result(b);
  }

  result(call) {
    call.result.during?.(this, call);
    const { text, failed, seconds, extra, content } = call.result;
    this.wait(seconds);
    const body = content ?? text;
    this.pending += tokens(typeof body === 'string' ? body : body[0].text ?? 'x'.repeat(1_600));
    this.tally.result(this.at, failed);
    this.line('user', {
      message: {
        role: 'user',
        content: [{ tool_use_id: call.id, type: 'tool_result', content: body, ...(failed ? { is_error: true } : call.block.name === 'Bash' ? { is_error: false } : {}) }],
      },
      toolUseResult: failed ? `Error: ${text}` : extra,
      sourceToolAssistantUUID: call.line,
    });
  }

  text() {
    return `${this.lines.join('\n')}\n`;
  }
}

const think = (thinking) => ({ block: { type: 'thinking', thinking, signature: `Ev${mark(thinking.slice(0, 12), thinking.length, 40)}` } });
const say = (text) => ({ block: { type: 'text', text } });
const use = (name, input, result, more = {}) => ({ block: { type: 'tool_use', name, input }, result, ...more });

const numbered = (text, from = 1) => text.split('\n').map((l, i) => `${String(i + from).padStart(6)}\t${l}`).join('\n');

function read(path, text, window = {}) {
  const from = window.offset ?? 1;
  const shown = numbered(text, from);
  return use('Read', { file_path: `${CWD}/${path}`, ...window }, {
    text: shown,
    seconds: 0.04,
    extra: { type: 'text', file: { filePath: `${CWD}/${path}`, numLines: text.split('\n').length, startLine: from, totalLines: window.offset ? 84 : text.split('\n').length } },
  });
}

function bash(command, description, stdout, more = {}) {
  const { failed = false, seconds = 0.4, loop = false, during } = more;
  return use('Bash', { command, description }, {
    text: failed ? `Exit code ${more.code ?? 1}\n${stdout}` : stdout,
    failed,
    seconds,
    during,
    extra: { stdout, stderr: '', interrupted: false, isImage: false },
  }, { loop });
}

/** An edit that replaces whole lines; the patch shows one line around it. */
function edit(path, old_string, new_string, line, before, after) {
  const minus = old_string.split('\n');
  const plus = new_string.split('\n');
  const lines = [` ${before}`, ...minus.map((l) => `-${l}`), ...plus.map((l) => `+${l}`), ` ${after}`];
  const patch = { oldStart: line - 1, oldLines: minus.length + 2, newStart: line - 1, newLines: plus.length + 2, lines };
  return use('Edit', { file_path: `${CWD}/${path}`, old_string, new_string, replace_all: false }, {
    text: `The file ${CWD}/${path} has been updated.`,
    seconds: 0.06,
    extra: { filePath: `${CWD}/${path}`, oldString: old_string, newString: new_string, structuredPatch: [patch], userModified: false, replaceAll: false },
  });
}

function grep(pattern, path, found) {
  const text = found.length === 0 ? 'No matches found' : found.join('\n');
  return use('Grep', { pattern, path: `${CWD}/${path}`, output_mode: 'content', '-n': true }, {
    text,
    seconds: 0.05,
    extra: { mode: 'content', numFiles: 0, filenames: [], content: text, numLines: found.length },
  });
}

function todos(states) {
  const names = ['Add --since to the command line', 'Filter the table in report.py', 'Cover it with tests', 'Update the docs', 'Changelog entry and commit'];
  const list = names.map((content, i) => ({ content, status: states[i], activeForm: content }));
  return use('TodoWrite', { todos: list }, {
    text: 'Todos have been modified successfully.',
    seconds: 0.02,
    extra: { oldTodos: [], newTodos: list },
  });
}

const CLI = `"""Command line of tidemark."""

import argparse
from datetime import date

from tidemark import plot, report, stations


def build_parser():
    parser = argparse.ArgumentParser(prog="tidemark")
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("report", help="print the tides of a station")
    table.add_argument("--station", required=True, type=stations.code)
    table.add_argument("--until", type=date.fromisoformat)
    chart = commands.add_parser("plot", help="draw the tides of a station")
    chart.add_argument("--station", required=True, type=stations.code)
    chart.add_argument("--output", default="tide.png")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    station = stations.load(args.station)
    if args.command == "report":
        print(report.table(station, until=args.until))
    else:
        plot.draw(station, args.output)`;

const REPORT = `"""The tide table as text."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Row:
    moment: datetime
    kind: str
    height: float


def rows(station, until=None):
    """Rows of a station in order of time, up to the end of the day \`until\`."""
    out = []
    for tide in station.tides:
        if until is not None and tide.moment.date() > until:
            break
        out.append(Row(tide.moment, tide.kind, tide.height))
    return out


def table(station, until=None):
    """The table that \`tidemark report\` prints."""
    lines = [f"{station.code}  {station.name}"]
    for row in rows(station, until):
        lines.append(f"{row.moment:%Y-%m-%d %H:%M}  {row.kind:<4}  {row.height:5.2f} m")
    return "\\n".join(lines)`;

const TESTS = `from datetime import date

from tidemark import report, stations


def test_until_includes_the_whole_day():
    station = stations.load("ORN")
    last = report.rows(station, until=date(2026, 3, 2))[-1]
    assert last.moment.day == 2
    assert last.kind == "low"


def test_table_starts_with_the_station():
    station = stations.load("ORN")
    assert report.table(station).startswith("ORN  Orrin Sound")`;

const STATIONS = `"""Stations and their tides, read from stations/*.toml."""

import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).parent / "stations"


def code(text):
    """A station's code, in capitals: three letters."""
    text = text.strip().upper()
    if len(text) != 3 or not text.isalpha():
        raise ValueError(f"not a station code: {text!r}")
    return text


def load(code):
    with open(FOLDER / f"{code}.toml", "rb") as file:
        return Station.parse(tomllib.load(file))


def moment(text, zone):
    """Times in the files are UTC; they are shown in the station's own zone."""
    return datetime.fromisoformat(text).astimezone(ZoneInfo(zone))`;

const CHANGELOG = `# Changelog

## Unreleased

### Fixed

- plot: labels of low water no longer overlap the axis.

## 1.3.0 - 2026-01-20

### Added

- report: \`--until DATE\` ends the table with that day.`;

const NOTECHECK = `"""Refuses a commit whose changelog does not name what changed.

Run by the commit hook. Without arguments it looks at the index, not at the working tree:
what is committed is what is checked. With a path it looks at that file, for trying things out.
"""

import subprocess
import sys

import rules


def staged(path):
    return subprocess.run(["git", "show", f":{path}"], capture_output=True, text=True).stdout


def main(paths):
    text = open(paths[0]).read() if paths else staged("CHANGELOG.md")
    return rules.report(rules.check(text))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))`;

const REFUSED = `${bold('notecheck')} 0.4.2  CHANGELOG.md
${red('error[changelog-section]')}: no entry for scope "report" under "Unreleased / Added"
  CHANGELOG.md:9:1
  help: an entry is a list item that begins with its scope, as in "- report: …"
${red('commit refused')}: 1 rule failed, 4 passed`;

/** A table of tides as a step chart in four colours: sky, water, line, mark. */
function chart() {
  // Height of the water, in pixels from the top, as parabolas between turns: no floating point, no sine.
  const turns = [12, 46, 16, 42, 10, 48, 18, 40, 14];
  const top = (x) => {
    const i = Math.min(turns.length - 2, Math.floor(x / 20));
    const t = x - i * 20;
    const [a, b] = [turns[i], turns[i + 1]];
    const bend = t < 10 ? 2 * t * t : 400 - 200 - (2 * (20 - t) * (20 - t) - 200) - 200;
    return Math.round(a + ((b - a) * (t < 10 ? bend : 400 - 2 * (20 - t) * (20 - t))) / 400);
  };
  const palette = [[238, 243, 248], [120, 168, 204], [24, 68, 110], [208, 96, 60]];
  return png(160, 60, palette, (x, y) => {
    const level = top(x);
    if (x === 60 || (x === 61 && y % 4 < 2)) return 3;
    return y === level || y === level + 1 ? 2 : y > level ? 1 : 0;
  });
}

const COMMIT = 'git commit -m "report: add --since"';
const commit = (more = {}) => bash(COMMIT, 'Commit the staged changes', REFUSED, { failed: true, seconds: 2.4, loop: true, ...more });

const FOUND = `**Zones are handled in one place.**

- \`tidemark/stations.py:27\` parses UTC text with an offset and moves it to the station's zone: every moment is aware.
- \`tidemark/report.py:18\` compares \`moment.date()\`, the day *at the station*, with \`--until\`. Nothing compares naive with aware values.
- So \`--since\` should compare the same \`.date()\`; comparing datetimes would need the station's zone.`;

/** The sub-agent's own file. */
function explore(tally, at) {
  const log = new Log(tally, at, AGENT);
  log.user('Find out how tidemark handles time zones: where dates of a station are parsed, in which zone rows are compared with --until, and whether any code compares naive with aware datetimes. Report file and line; change nothing.', { parentUuid: null });
  log.answer(
    think('Start with every place that names a zone or parses an ISO date.'),
    grep('zoneinfo|ZoneInfo|fromisoformat', 'tidemark', [
      'tidemark/cli.py:15:    table.add_argument("--until", type=date.fromisoformat)',
      'tidemark/stations.py:6:from zoneinfo import ZoneInfo',
      'tidemark/stations.py:27:    return datetime.fromisoformat(text).astimezone(ZoneInfo(zone))',
    ]),
  );
  log.answer(read('tidemark/stations.py', STATIONS), read('tidemark/plot.py', `"""The tide curve as a picture."""\n\nfrom tidemark.canvas import Canvas\n\n\ndef draw(station, path):\n    canvas = Canvas(160, 60)\n    for tide in station.tides:\n        canvas.turn(tide.moment, tide.height)\n    canvas.save(path)`));
  log.answer(
    think('moment() reads UTC text. If the text in the files has no offset, fromisoformat gives a naive value and astimezone() takes it for the local zone of the computer. Check the data.'),
    bash('head -12 tidemark/stations/ORN.toml', 'Show the head of a station file', 'code = "ORN"\nname = "Orrin Sound"\nzone = "Atlantic/Faroe"\n\n[[tides]]\nat = "2026-03-01T02:14+00:00"\nkind = "high"\nheight = 2.31\n\n[[tides]]\nat = "2026-03-01T08:27+00:00"\nkind = "low"', { seconds: 0.3 }),
  );
  log.answer(
    think('The offset is written out, so values are aware. Rows compare .date() of the zoned moment with a plain date, which is right for the station.'),
    grep('\\.date\\(\\)', 'tidemark', ['tidemark/report.py:18:        if until is not None and tide.moment.date() > until:']),
  );
  log.answer(say(FOUND));
  return log;
}

export function claudeCode() {
  const tally = new Tally();
  const log = new Log(tally, START, null);

  log.noise({ type: 'file-history-snapshot', messageId: uuid('snapshot', 1), snapshot: { trackedFileBackups: {} }, isSnapshotUpdate: false });
  log.user('Add a `--since DATE` option to `tidemark report`. The table of a year is too long when I only want what is still to come. It should include the whole day, like `--until` does. Tests, a changelog entry, then commit on this branch. Please also look at whether the plot still draws the right days.', { parentUuid: null, permissionMode: 'acceptEdits' });
  log.wait(0.2).user('<system-reminder>\nAs you answer, you can use this context:\n# CLAUDE.md\ntidemark prints tide tables. Python 3.12, no dependencies outside the standard library.\n- Run `python -m pytest -q` before every commit.\n- Every user-visible change has an entry in CHANGELOG.md; a hook checks it.\n- Dates are days at the station, never at the reader.\n</system-reminder>', { isMeta: true });

  log.answer(
    think('Small feature. I need the parser in cli.py and the filter in report.py. Read both first; they are independent.'),
    say('I will start with the command line and the report itself.'),
    read('tidemark/cli.py', CLI),
    read('tidemark/report.py', REPORT),
  );
  log.answer(
    use('Glob', { pattern: 'tests/**/*.py', path: CWD }, {
      text: `${CWD}/tests/test_report.py\n${CWD}/tests/test_stations.py\n${CWD}/tests/test_plot.py`,
      seconds: 0.03,
      extra: { filenames: ['tests/test_report.py', 'tests/test_stations.py', 'tests/test_plot.py'], durationMs: 3, numFiles: 3, truncated: false },
    }),
    grep('until', 'docs', ['docs/usage.md:14:    tidemark report --station ORN --until 2026-03-31']),
  );

  // The sub-agent: its file stands beside the session, its steps behind this call.
  const task = use('Task', {
    description: 'Explore time zones',
    subagent_type: 'Explore',
    prompt: 'Find out how tidemark handles time zones: where dates of a station are parsed, in which zone rows are compared with --until, and whether any code compares naive with aware datetimes. Report file and line; change nothing.',
  }, null);
  let child;
  task.result = {
    seconds: 0,
    content: [{ type: 'text', text: FOUND }],
    during: (main, call) => {
      const before = tally.calls;
      const began = main.at + 300;
      child = explore(tally, began);
      main.wait((child.at - main.at) / 1000 / 2);
      main.noise({ type: 'progress', toolUseID: call.id, data: { type: 'agent_progress', agentId: AGENT, prompt: 'Find out how tidemark handles time zones' } });
      main.at = child.at + 240;
      call.result.extra = {
        status: 'completed',
        agentId: AGENT,
        content: [{ type: 'text', text: FOUND }],
        totalDurationMs: child.at - began,
        totalTokens: child.context + child.pending,
        totalToolUseCount: tally.calls - before,
      };
    },
  };
  log.answer(
    think('Time zones are the trap here: a day at the station is not a day for the reader. Let an explorer look at how dates are compared while I keep this context small.'),
    task,
  );

  log.answer(
    say('Good: one place for zones, and the filter compares days. Now the tests and the history.'),
    read('tests/test_report.py', TESTS),
    bash('git log --oneline -4', 'Show recent commits', '8f1c2ab plot: keep labels off the axis\n41d09ee stations: check codes\nb7a3350 report: add --until\n0c96f1d Release 1.2.1'),
  );
  log.answer(
    think('There is a project skill for changelog entries. Load it before I write one, so that the entry has the right form.'),
    use('Skill', { skill: 'changelog' }, { text: 'Launching skill: changelog', seconds: 0.02, extra: { success: true, commandName: 'changelog' } }),
  );
  log.wait(0.05).user([{ type: 'text', text: `Base directory for this skill: ${CWD}/.claude/skills/changelog\n\n# Changelog entries\n\nOne list item a change, under Unreleased, in the section Added, Changed or Fixed. It begins with its scope and a colon: the name of the command or module. Say what the reader of the program can do now, not what the code does.` }], { isMeta: true });
  log.answer(say('Five pieces of work; I will keep a list.'), todos(['in_progress', 'pending', 'pending', 'pending', 'pending']));

  // The option.
  log.answer(
    say('The option first, with a line of help for both ends of the window.'),
    edit('tidemark/cli.py', '    table.add_argument("--until", type=date.fromisoformat)', '    table.add_argument("--since", type=date.fromisoformat, help="first day of the table")\n    table.add_argument("--until", type=date.fromisoformat, help="last day of the table")', 15, '    table.add_argument("--station", required=True, type=stations.code)', '    chart = commands.add_parser("plot", help="draw the tides of a station")'),
  );
  log.answer(say('And the call that passes it on.'), edit('tidemark/cli.py', '        print(report.table(station, until=args.until))', '        print(report.table(station, since=args.since, until=args.until))', 27, '    if args.command == "report":', '    else:'));
  log.answer(
    say('Now the filter. Rows are in order of time, so rows before the first day are skipped and the loop still ends at the last.'),
    use('Edit', { file_path: `${CWD}/tidemark/report.py`, old_string: 'def rows(station, since=None, until=None):', new_string: 'def rows(station, *, since=None, until=None):', replace_all: false }, {
      text: '<tool_use_error>String to replace not found in file.\nString: def rows(station, since=None, until=None):</tool_use_error>',
      failed: true,
      seconds: 0.03,
    }),
  );
  log.answer(
    think('I wrote the line I was about to make, not the one that is there. The file says `def rows(station, until=None):`.'),
    edit('tidemark/report.py', 'def rows(station, until=None):\n    """Rows of a station in order of time, up to the end of the day `until`."""', 'def rows(station, since=None, until=None):\n    """Rows of a station in order of time, from the day `since` to the end of the day `until`."""', 14, '', '    out = []'),
  );
  log.answer(say('The condition goes in front of the one that ends the loop.'), edit('tidemark/report.py', '    for tide in station.tides:', '    for tide in station.tides:\n        if since is not None and tide.moment.date() <= since:\n            continue', 17, '    out = []', '        if until is not None and tide.moment.date() > until:'));
  log.answer(
    think('table() passes its arguments on by position; with two dates of the same type that is asking for trouble, but it is the style here.'),
    edit('tidemark/report.py', 'def table(station, until=None):', 'def table(station, since=None, until=None):', 26, '', '    """The table that `tidemark report` prints."""'),
    edit('tidemark/report.py', '    for row in rows(station, until):', '    for row in rows(station, since, until):', 29, '    lines = [f"{station.code}  {station.name}"]', '        lines.append(f"{row.moment:%Y-%m-%d %H:%M}  {row.kind:<4}  {row.height:5.2f} m")'),
  );
  log.answer(todos(['completed', 'completed', 'in_progress', 'pending', 'pending']));
  log.answer(
    say('Tests: the first day is included whole, a window on one day works, and a day after the last gives only the heading.'),
    edit('tests/test_report.py', 'def test_table_starts_with_the_station():', 'def test_since_includes_the_whole_day():\n    station = stations.load("ORN")\n    first = report.rows(station, since=date(2026, 3, 2))[0]\n    assert first.moment.date() == date(2026, 3, 2)\n    assert first.kind == "high"\n\n\ndef test_since_and_until_on_one_day():\n    station = stations.load("ORN")\n    day = date(2026, 3, 2)\n    assert len(report.rows(station, since=day, until=day)) == 4\n\n\ndef test_table_starts_with_the_station():', 13, '', '    station = stations.load("ORN")'),
  );
  const testing = (main, call) => {
    for (const elapsed of [2, 4]) {
      main.wait(2);
      main.noise({ type: 'progress', toolUseID: call.id, parentToolUseID: call.id, data: { type: 'bash_progress', output: '', fullOutput: '', elapsedTimeSeconds: elapsed, totalLines: 0 } });
    }
  };
  log.answer(bash('python -m pytest tests/test_report.py -q --color=yes', 'Run the report tests', `${green('.')}${red('F')}${red('F')}${green('.')}                                                 [100%]
=================================== FAILURES ===================================
${bold(red('_______________________ test_since_includes_the_whole_day ______________________'))}

    def test_since_includes_the_whole_day():
        station = stations.load("ORN")
        first = report.rows(station, since=date(2026, 3, 2))[0]
>       assert first.moment.date() == date(2026, 3, 2)
${red('E       AssertionError: assert datetime.date(2026, 3, 3) == datetime.date(2026, 3, 2)')}

${bold('tests/test_report.py')}:16: AssertionError
${bold(red('_________________________ test_since_and_until_on_one_day ______________________'))}
${red('E       AssertionError: assert 0 == 4')}
${red('FAILED')} tests/test_report.py::test_since_includes_the_whole_day
${red('FAILED')} tests/test_report.py::test_since_and_until_on_one_day
${red('2 failed')}, ${green('2 passed')} in 0.31s`, { failed: true, seconds: 1.9, during: testing }));
  log.answer(
    think('`<=` skips the first day itself. The day must be kept: skip only what is before it.'),
    edit('tidemark/report.py', '        if since is not None and tide.moment.date() <= since:', '        if since is not None and tide.moment.date() < since:', 18, '    for tide in station.tides:', '            continue'),
  );
  log.answer(bash('python -m pytest tests/test_report.py -q --color=yes', 'Run the report tests', `${green('....')}                                                 [100%]\n${green('4 passed')} in 0.28s`, { seconds: 1.6, during: testing }));
  log.answer(
    say('The tests pass. Lint and types next; they do not depend on each other.'),
    bash('python -m ruff check tidemark tests', 'Lint', `tests/test_report.py:14:80: ${red('E501')} Line too long (84 > 79)\nFound 1 error.`, { failed: true, seconds: 0.5 }),
    bash('python -m mypy tidemark', 'Check types', `${green('Success: no issues found in 6 source files')}`, { seconds: 3.2 }),
  );
  log.answer(say('One line is too long by five characters.'), edit('tests/test_report.py', '    first = report.rows(station, since=date(2026, 3, 2))[0]', '    day = date(2026, 3, 2)\n    first = report.rows(station, since=day)[0]', 15, '    station = stations.load("ORN")', '    assert first.moment.date() == date(2026, 3, 2)'));
  log.answer(bash('python -m ruff check tidemark tests', 'Lint', green('All checks passed!'), { seconds: 0.4 }));

  // What people will type wrong.
  log.answer(
    think('Two things people will type wrong: a date that is none, and a window that ends before it begins. argparse covers the first; check, and see what the second does.'),
    bash('python -m tidemark report --station ORN --since 2026-13-01', 'Try a date that is none', "usage: tidemark report [-h] --station STATION [--since SINCE] [--until UNTIL]\ntidemark report: error: argument --since: invalid fromisoformat value: '2026-13-01'", { failed: true, code: 2, seconds: 0.5 }),
  );
  log.answer(
    say('The message names the wrong thing: "fromisoformat" means nothing to a reader. And an empty window should say so instead of printing a bare heading.'),
    edit('tidemark/cli.py', 'def build_parser():', 'def day(text):\n    """A day as YYYY-MM-DD."""\n    try:\n        return date.fromisoformat(text)\n    except ValueError:\n        raise argparse.ArgumentTypeError(f"not a date as 2026-03-14: {text}")\n\n\ndef build_parser():', 9, '', '    parser = argparse.ArgumentParser(prog="tidemark")'),
  );
  log.answer(
    edit('tidemark/cli.py', '    table.add_argument("--since", type=date.fromisoformat, help="first day of the table")\n    table.add_argument("--until", type=date.fromisoformat, help="last day of the table")', '    table.add_argument("--since", type=day, help="first day of the table")\n    table.add_argument("--until", type=day, help="last day of the table")', 23, '    table.add_argument("--station", required=True, type=stations.code)', '    chart = commands.add_parser("plot", help="draw the tides of a station")'),
    edit('tidemark/cli.py', '    args = build_parser().parse_args(argv)', '    parser = build_parser()\n    args = parser.parse_args(argv)\n    if args.command == "report" and args.since and args.until and args.until < args.since:\n        parser.error(f"--until {args.until} is before --since {args.since}")', 32, 'def main(argv=None):', '    station = stations.load(args.station)'),
  );
  log.answer(
    say('Both, tried by hand.'),
    bash('python -m tidemark report --station ORN --since tomorrow; python -m tidemark report --station ORN --since 2026-03-14 --until 2026-03-01', 'Try both mistakes', 'tidemark report: error: argument --since: not a date as 2026-03-14: tomorrow\ntidemark: error: --until 2026-03-01 is before --since 2026-03-14', { failed: true, code: 2, seconds: 0.9 }),
  );
  log.answer(
    think('Exit code 2 is what argparse gives for a usage error, so this failure is the wanted one.'),
    say('Both end with a usage error, as they should. Now the picture.'),
    bash('python -m tidemark plot --station ORN --output build/orn.png && file build/orn.png', 'Draw the tide curve', 'build/orn.png: PNG image data, 160 x 60, 2-bit colormap, non-interlaced', { seconds: 0.9 }),
  );

  // The picture.
  log.answer(think('The person asked whether the plot still draws the right days. plot.draw takes the station and no window, so --since must not touch it. Look at it.'), use('Read', { file_path: `${CWD}/build/orn.png` }, {
    content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: chart() } }],
    text: '',
    seconds: 0.08,
    extra: { type: 'image', file: { type: 'image/png', originalSize: 2520, dimensions: { originalWidth: 160, originalHeight: 60 } } },
  }));
  log.answer(say('The curve still shows every turn of the tide from the first day on; the red line marks today. `--since` only changes the table.'));

  // The person adds something meanwhile.
  log.wait(505).noise({ type: 'queue-operation', operation: 'enqueue', content: '另外，請把 README 和 docs/usage.md 的說明也一起更新。' });
  log.wait(8).user('另外，請把 README 和 docs/usage.md 的說明也一起更新，範例用三月份的日期就好。謝謝！');
  log.answer(
    think('They ask me to update README and docs/usage.md too, with dates in March as the example.'),
    read('README.md', '# tidemark\n\nTide tables on the command line.\n\n    tidemark report --station ORN --until 2026-03-31\n\nStations are files in tidemark/stations.'),
    read('docs/usage.md', '# Usage\n\n## Tables\n\n    tidemark report --station ORN\n\nprints every tide of the year. To end with a day:\n\n    tidemark report --station ORN --until 2026-03-31'),
  );
  log.answer(
    edit('README.md', '    tidemark report --station ORN --until 2026-03-31', '    tidemark report --station ORN --since 2026-03-14 --until 2026-03-31', 5, '', ''),
    edit('docs/usage.md', 'prints every tide of the year. To end with a day:', 'prints every tide of the year. To begin and end with a day, both included:', 7, '', ''),
  );
  log.answer(edit('docs/usage.md', '    tidemark report --station ORN --until 2026-03-31', '    tidemark report --station ORN --since 2026-03-14 --until 2026-03-31', 9, '', ''));
  log.answer(
    say('Does what the docs now say really come out?'),
    bash('python -m tidemark report --station ORN --since 2026-03-14 --until 2026-03-31 | head -4', 'Try the documented command', 'ORN  Orrin Sound\n2026-03-14 00:58  low    0.62 m\n2026-03-14 07:09  high   2.04 m\n2026-03-14 13:21  low    0.71 m', { seconds: 0.6 }),
  );
  log.answer(think('That is the documented command. Now everything, since cli.py changed after the last run.'), bash('python -m pytest -q --color=yes', 'Run all tests', `${green('...................')}                                  [100%]\n${green('19 passed')} in 1.12s`, { seconds: 4.8, during: testing }));
  log.answer(say('All 19 pass. What is left is the changelog and the commit.'), todos(['completed', 'completed', 'completed', 'completed', 'in_progress']));

  // Compaction: what was read is forgotten, a summary stands in its place.
  log.wait(112);
  const before = log.context + log.pending;
  tally.step(log.at);
  log.line('system', { parentUuid: null, logicalParentUuid: log.parent, subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false, level: 'info', compactMetadata: { trigger: 'auto', preTokens: before } });
  log.context = 9_120;
  log.cachedUpTo = 8_704;
  log.pending = 0;
  log.wait(0.4).user('This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n\nRequest: add `--since DATE` to `tidemark report`, whole day included, with tests and a changelog entry, then commit on the branch since-option. Later: update README and docs/usage.md (dates in March).\n\nDone: option in cli.py, filter in report.py (`tide.moment.date() < since` is skipped), two tests, README, docs/usage.md. 19 tests pass, lint and types are clean. The plot is unchanged and was looked at.\n\nLeft: entry in CHANGELOG.md, commit with the message `report: add --since`.', { isCompactSummary: true, isVisibleInTranscriptOnly: true });

  log.answer(
    think('Only the changelog and the commit are left. Look at the changelog as it stands.'),
    read('CHANGELOG.md', CHANGELOG),
  );
  log.answer(say('Unreleased has an entry already; mine goes below it.'), edit('CHANGELOG.md', '- plot: labels of low water no longer overlap the axis.', '- plot: labels of low water no longer overlap the axis.\n- `--since DATE` begins the table of a station with that day.', 7, '', ''));
  log.answer(say('Stage everything and commit.'), bash('git add tidemark tests README.md docs CHANGELOG.md', 'Stage the changes', '', { seconds: 0.2 }));
  const hook = (main, call) => {
    main.wait(0.4);
    main.noise({ type: 'progress', toolUseID: call.id, parentToolUseID: call.id, data: { type: 'hook_progress', hookEvent: 'PreToolUse', hookName: 'PreToolUse:Bash', command: '.claude/hooks/before-bash.sh' } });
  };
  log.answer(commit({ during: hook }));
  log.answer(
    think('The entry is under Fixed. A new option belongs under Added, and it must begin with the scope.'),
    edit('CHANGELOG.md', '## Unreleased\n\n### Fixed\n\n- plot: labels of low water no longer overlap the axis.\n- `--since DATE` begins the table of a station with that day.', '## Unreleased\n\n### Added\n\n- report: `--since DATE` begins the table with that day.\n\n### Fixed\n\n- plot: labels of low water no longer overlap the axis.', 3, '', ''),
  );
  log.answer(say('Now it stands under Added, with its scope.'), commit({ during: hook }));
  log.answer(
    think('The same error, though the entry is under Unreleased / Added now. Perhaps the rule wants the section spelled in another way.'),
    grep('changelog-section', 'scripts', ['scripts/rules.py:22:    id = "changelog-section"', 'scripts/rules.py:23:    path = ("Unreleased", "Added")']),
  );
  log.answer(
    say('The rule asks for the path that is there. Perhaps it stumbles over the backticks behind the scope.'),
    edit('CHANGELOG.md', '- report: `--since DATE` begins the table with that day.', '- report: --since DATE begins the table with that day.', 7, '', ''),
  );
  log.answer(commit({ during: hook }));
  log.answer(
    think('Still line 9, still the same words. Line 9 in my file is "### Fixed". Maybe it wants the whole phrase as in 1.3.0.'),
    edit('CHANGELOG.md', '- report: --since DATE begins the table with that day.', '- report: `--since DATE` starts the table with that day.', 7, '', ''),
  );
  log.answer(
    say('Let me run the checker by hand on the file.'),
    bash('python scripts/notecheck.py CHANGELOG.md', 'Run the checker on the file', `${bold('notecheck')} 0.4.2  CHANGELOG.md\n${green('5 passed')}`, { seconds: 0.7 }),
  );
  log.answer(say('By hand it passes. Once more.'), commit({ during: hook }));
  log.answer(
    think('By hand it passes, in the hook it fails. A trailing space, or the missing blank line at the end of the section?'),
    edit('CHANGELOG.md', '- report: `--since DATE` starts the table with that day.\n\n### Fixed', '- report: `--since DATE` starts the table with that day.\n\n\n### Fixed', 7, '', ''),
  );
  log.answer(commit({ during: hook }));
  log.answer(
    think('Five times the same words at the same line while the file changed each time. So the checker does not see my changes. What does it read?'),
    say('The message never changes although the file does: the checker must be reading something else.'),
    read('scripts/notecheck.py', NOTECHECK),
  );
  log.answer(
    think('It reads the index. I staged CHANGELOG.md once, before the first try; every edit since then is only in the working tree.'),
    bash('git status --short', 'Show what is staged', 'M  README.md\nMM CHANGELOG.md\nM  docs/usage.md\nM  tests/test_report.py\nM  tidemark/cli.py\nM  tidemark/report.py'),
    bash('git diff --cached -- CHANGELOG.md', 'Show the staged changelog', `@@ -5,3 +5,4 @@\n ### Fixed\n \n - plot: labels of low water no longer overlap the axis.\n${green('+- `--since DATE` begins the table of a station with that day.')}`),
  );
  log.answer(
    say('`MM CHANGELOG.md`: the staged entry is still my first one. I undo the blank line and stage the file.'),
    edit('CHANGELOG.md', '- report: `--since DATE` starts the table with that day.\n\n\n### Fixed', '- report: `--since DATE` starts the table with that day.\n\n### Fixed', 7, '', ''),
  );
  log.answer(think('Now the index holds what the file says.'), bash('git add CHANGELOG.md', 'Stage the changelog', '', { seconds: 0.2 }));
  log.answer(bash(COMMIT, 'Commit the staged changes', `${bold('notecheck')} 0.4.2  CHANGELOG.md\n${green('5 passed')}\n[since-option 3be90d4] report: add --since\n 6 files changed, 31 insertions(+), 9 deletions(-)`, { seconds: 2.6, during: hook }));
  log.answer(
    say('It went through. A last look at what was committed.'),
    bash('git show --stat --format=%s HEAD', 'Show the commit', 'report: add --since\n\n CHANGELOG.md         |  4 ++++\n README.md            |  2 +-\n docs/usage.md        |  4 ++--\n tests/test_report.py | 14 ++++++++++++++\n tidemark/cli.py      |  5 +++--\n tidemark/report.py   | 11 +++++++----'),
    todos(['completed', 'completed', 'completed', 'completed', 'completed']),
  );
  log.answer(say(`\`tidemark report\` has \`--since DATE\` now, committed as \`3be90d4\` on \`since-option\`.

| part | change |
|---|---|
| \`tidemark/cli.py\` | the option, with help for both ends |
| \`tidemark/report.py\` | rows before the first day are skipped; days are days **at the station** |
| \`tests/test_report.py\` | two tests: the whole first day, and a window of one day |
| README, \`docs/usage.md\` | 範例改用三月份的日期 |

Try it:

\`\`\`sh
tidemark report --station ORN --since 2026-03-14 --until 2026-03-31
\`\`\`

Worth knowing:

1. The plot is unchanged; I drew one and looked at it.
2. The commit was refused five times because of me: the hook checks the *staged* changelog, and I kept editing without staging. A line in its help text, "reads the index", would have saved four of them.`));
  log.noise({ type: 'summary', summary: 'Add --since to the tide table', leafUuid: log.parent });

  return {
    id: ID,
    title: { en: 'Claude Code: an option for a tide table', 'zh-Hant': 'Claude Code：為潮汐表加上一個選項' },
    note: { en: 'A coding session that retries one commit five times', 'zh-Hant': '一段程式工作：同一個 commit 重試了五次' },
    contents: {
      [`${SESSION}.jsonl`]: log.text(),
      [`${SESSION}/subagents/agent-${AGENT}.jsonl`]: child.text(),
    },
    expect: { format: 'claude-code', runs: [tally.figures({ detector: 'D2g', period: 1, verdict: 'recovered' })] },
  };
}
