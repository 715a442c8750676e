//! Every command of the page: one table for the palette, the help, the shortcuts and the key caps in tooltips.
//!
//! Commands of a run exist while its screen is there: it registers what it does with [`Commands::on`].

use std::rc::Rc;

use leptos::prelude::*;

use crate::message::M;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    ChooseFiles,
    ChooseFolder,
    Palette,
    Help,
    Home,
    Formats,
    Theme,
    Language,
    Privacy,
    /// Check a provider by its address.
    Visit,
    CloseFile,
    NextFile,
    PreviousFile,
    /// Two runs side by side.
    Compare,
    // A run
    NextStep,
    PreviousStep,
    OpenStep,
    Inspector,
    Raw,
    Filter,
    NextError,
    PreviousError,
    NextLoop,
    PreviousLoop,
    Fold,
    All,
    CopyLink,
    /// The tab at this place, from 0.
    Tab(u8),
    // Skills
    NextFinding,
    PreviousFinding,
    Profile,
    Publish,
    /// The view of the skills at this place, from 0.
    View(u8),
    // Two runs
    NextDifference,
    PreviousDifference,
    Divergence,
    Swap,
    FoldEqual,
    CopyCompareLink,
    /// A page or a link of what is on the screen.
    Share,
    // Notes on a run
    Note,
    Notes,
    NextNote,
    PreviousNote,
}

/// Where a command means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Everywhere,
    /// A file is open.
    File,
    /// A run is on the screen.
    Run,
    /// Skills are on the screen; never together with a run.
    Skill,
    /// Two runs are open.
    Pair,
    /// Two runs are on the screen; never together with one, or with skills.
    Compare,
    /// A list with a filter is on the screen.
    List,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    pub action: Action,
    pub title: M,
    /// Each one of them does it: `mod+k` (Ctrl or ⌘), `g h` (one after the other), `?`. Names in capitals are keys
    /// that the list itself handles where it has the focus.
    pub keys: &'static [&'static str],
    pub scope: Scope,
}

const fn command(action: Action, title: M, keys: &'static [&'static str], scope: Scope) -> Command {
    Command { action, title, keys, scope }
}

/// The table, in the order of the help.
pub const COMMANDS: &[Command] = &[
    command(Action::ChooseFiles, M::CmdChooseFiles, &["mod+o"], Scope::Everywhere),
    command(Action::ChooseFolder, M::CmdChooseFolder, &[], Scope::Everywhere),
    command(Action::Palette, M::CmdPalette, &["mod+k"], Scope::Everywhere),
    command(Action::Help, M::CmdHelp, &["?"], Scope::Everywhere),
    command(Action::Home, M::CmdHome, &["g h"], Scope::Everywhere),
    command(Action::Formats, M::CmdFormats, &["g f"], Scope::Everywhere),
    command(Action::Visit, M::CmdVisit, &["g p"], Scope::Everywhere),
    command(Action::Theme, M::CmdTheme, &["t"], Scope::Everywhere),
    command(Action::Language, M::CmdLanguage, &[], Scope::Everywhere),
    command(Action::Privacy, M::HowToCheck, &[], Scope::Everywhere),
    command(Action::NextFile, M::CmdNextFile, &["J"], Scope::File),
    command(Action::PreviousFile, M::CmdPreviousFile, &["K"], Scope::File),
    command(Action::CloseFile, M::CmdCloseFile, &[], Scope::File),
    command(Action::Compare, M::CmdCompare, &["c"], Scope::Pair),
    command(Action::Filter, M::CmdFilter, &["/"], Scope::List),
    command(Action::NextStep, M::CmdNextStep, &["j"], Scope::Run),
    command(Action::PreviousStep, M::CmdPreviousStep, &["k"], Scope::Run),
    command(Action::OpenStep, M::CmdOpenStep, &["Enter"], Scope::Run),
    command(Action::Inspector, M::CmdInspector, &["."], Scope::Run),
    command(Action::Raw, M::CmdRaw, &["r"], Scope::Run),
    command(Action::NextError, M::CmdNextError, &["n"], Scope::Run),
    command(Action::PreviousError, M::CmdPreviousError, &["p"], Scope::Run),
    command(Action::NextLoop, M::CmdNextLoop, &["]"], Scope::Run),
    command(Action::PreviousLoop, M::CmdPreviousLoop, &["["], Scope::Run),
    command(Action::Fold, M::CmdFold, &["z"], Scope::Run),
    command(Action::All, M::CmdAll, &["a"], Scope::Run),
    command(Action::CopyLink, M::CmdCopyLink, &["y"], Scope::Run),
    command(Action::Tab(0), M::CmdTabSteps, &["1"], Scope::Run),
    command(Action::Tab(1), M::CmdTabDiagram, &["2"], Scope::Run),
    command(Action::Tab(2), M::CmdTabFindings, &["3"], Scope::Run),
    command(Action::Tab(3), M::CmdTabLoops, &["4"], Scope::Run),
    command(Action::Tab(4), M::CmdTabUsage, &["5"], Scope::Run),
    command(Action::Tab(5), M::CmdTabContract, &["6"], Scope::Run),
    command(Action::Tab(6), M::CmdTabMeasures, &["7"], Scope::Run),
    command(Action::Tab(7), M::CmdTabImport, &["8"], Scope::Run),
    command(Action::Tab(8), M::CmdTabJudge, &["9"], Scope::Run),
    command(Action::NextFinding, M::CmdNextFinding, &["n"], Scope::Skill),
    command(Action::PreviousFinding, M::CmdPreviousFinding, &["p"], Scope::Skill),
    command(Action::Profile, M::CmdProfile, &["s"], Scope::Skill),
    command(Action::Publish, M::CmdPublish, &[], Scope::Skill),
    command(Action::View(0), M::CmdView1, &["1"], Scope::Skill),
    command(Action::View(1), M::CmdView2, &["2"], Scope::Skill),
    command(Action::View(2), M::CmdView3, &["3"], Scope::Skill),
    command(Action::View(3), M::CmdView4, &["4"], Scope::Skill),
    command(Action::View(4), M::CmdView5, &["5"], Scope::Skill),
    command(Action::NextDifference, M::CmdNextDifference, &["n"], Scope::Compare),
    command(Action::PreviousDifference, M::CmdPreviousDifference, &["p"], Scope::Compare),
    command(Action::Divergence, M::CmdDivergence, &["f"], Scope::Compare),
    command(Action::Swap, M::CmdSwap, &["x"], Scope::Compare),
    command(Action::FoldEqual, M::CmdFoldEqual, &["z"], Scope::Compare),
    command(Action::CopyCompareLink, M::CmdCopyCompareLink, &["y"], Scope::Compare),
    command(Action::Share, M::CmdShare, &["S"], Scope::File),
    command(Action::Note, M::CmdNote, &["m"], Scope::Run),
    command(Action::Notes, M::CmdNotes, &["M"], Scope::Run),
    command(Action::NextNote, M::CmdNextNote, &["}"], Scope::Run),
    command(Action::PreviousNote, M::CmdPreviousNote, &["{"], Scope::Run),
];

type Handler = Rc<dyn Fn(Action)>;

/// Who does what, at the moment.
#[derive(Clone, Copy)]
pub struct Commands {
    handlers: StoredValue<Vec<(u32, Scope, Handler)>, LocalStorage>,
    next: StoredValue<u32>,
    scopes: RwSignal<Vec<Scope>>,
}

impl Commands {
    pub fn new() -> Self {
        Self {
            handlers: StoredValue::new_local(Vec::new()),
            next: StoredValue::new(0),
            scopes: RwSignal::new(Vec::new()),
        }
    }

    /// Does the commands of a scope as long as the component that calls this is there. The last one to come is asked.
    pub fn on(self, scope: Scope, act: impl Fn(Action) + 'static) {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        self.handlers.update_value(|h| h.push((id, scope, Rc::new(act))));
        self.scopes.update(|s| s.push(scope));
        on_cleanup(move || {
            // At the end of the page's life they may be gone before this.
            let _ = self.handlers.try_update_value(|h| h.retain(|(other, ..)| *other != id));
            let _ = self.scopes.try_update(|s| {
                if let Some(at) = s.iter().rposition(|other| *other == scope) {
                    s.remove(at);
                }
            });
        });
    }

    /// Whether a command can be done now; followed.
    pub fn available(self, command: &Command) -> bool {
        self.scopes.with(|s| s.contains(&command.scope))
    }

    /// The same, now.
    pub fn available_now(self, command: &Command) -> bool {
        self.scopes.with_untracked(|s| s.contains(&command.scope))
    }

    /// Does it, where someone can.
    pub fn run(self, action: Action) {
        let scope = COMMANDS.iter().find(|c| c.action == action).map(|c| c.scope);
        let handler = self
            .handlers
            .with_value(|h| h.iter().rev().find(|(_, s, _)| Some(*s) == scope).map(|(.., act)| act.clone()));
        if let Some(handler) = handler {
            handler(action);
        }
    }
}

impl Default for Commands {
    fn default() -> Self {
        Self::new()
    }
}

/// The handle; works in components and in what they own.
pub fn use_commands() -> Commands {
    expect_context()
}

/// The key caps of a command, as they are on this computer.
pub fn caps(keys: &str, mac: bool) -> Vec<String> {
    keys.split(' ')
        .map(|key| match key.strip_prefix("mod+") {
            Some(letter) if mac => format!("⌘ {}", letter.to_ascii_uppercase()),
            Some(letter) => format!("Ctrl {}", letter.to_ascii_uppercase()),
            None => key.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two commands that can be there at once may not share a key.
    #[test]
    fn no_key_does_two_things() {
        for here in [Scope::Run, Scope::Skill, Scope::Compare] {
            let mut seen = std::collections::BTreeMap::new();
            let apart = |scope| matches!(scope, Scope::Run | Scope::Skill | Scope::Compare) && scope != here;
            for command in COMMANDS.iter().filter(|c| !apart(c.scope)) {
                for key in command.keys {
                    assert_eq!(seen.insert(*key, command.action), None, "{key} does two things");
                }
            }
        }
    }

    #[test]
    fn caps_follow_the_computer() {
        assert_eq!(caps("mod+k", false), ["Ctrl K"]);
        assert_eq!(caps("mod+k", true), ["⌘ K"]);
        assert_eq!(caps("g h", false), ["g", "h"]);
    }
}
