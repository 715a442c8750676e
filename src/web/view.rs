//! What draws the page: elements by name, children, attributes, listeners, and closures where something changes.
//!
//! It stands on Leptos' signals, owners and DOM calls, and takes the place of its `view!`, whose types are compiled anew
//! for every shape of every screen: that was half a megabyte of program. Here every closure ends in a box and every box
//! in the same few functions, so that a screen costs what it says and nothing more. How to write one is in
//! ARCHITECTURE.md.
//!
//! * `el("p.quiet.small")` is `<p class="quiet small">`; `.attr`, `.on`, `.child` add to it and give it back.
//! * A closure as a child or an attribute follows what it reads. Of a child that changes, text is exchanged in place,
//!   anything else is drawn anew: so let it be small. The keyboard's place inside is kept.
//! * What is made inside a closure (signals, listeners, effects) goes when it runs again. Work that comes later, after a
//!   question or a timer, may find its signals gone and asks with `try_…`; [`effect`] takes care of that itself.

use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;

use leptos::ev::EventDescriptor;
use leptos::prelude::*;
use leptos::tachys::html::{element::ElementType, node_ref::NodeRefContainer};
use leptos::tachys::renderer::Rndr;
use leptos::tachys::renderer::types::{Element, Node};
use leptos::wasm_bindgen::{JsCast, JsValue};

/// A text of the program or of a file.
pub type Text = Cow<'static, str>;

const SVG: &str = "http://www.w3.org/2000/svg";

/// A piece of the page that is not in the document yet.
pub enum View {
    Text(Text),
    Element(El),
    /// One after the other; none is nothing.
    Many(Vec<View>),
    /// Follows what it reads.
    Live(Box<dyn Fn() -> View>),
    /// Rows that keep their elements while they move: see [`each`].
    Rows(Box<dyn Fn() -> Vec<Row>>),
}

impl View {
    /// Nothing at all.
    pub const NONE: View = View::Many(Vec::new());
}

/// What can be a child.
pub trait IntoView {
    fn view(self) -> View;
}

impl IntoView for View {
    fn view(self) -> View {
        self
    }
}

impl IntoView for El {
    fn view(self) -> View {
        View::Element(self)
    }
}

impl IntoView for &'static str {
    fn view(self) -> View {
        View::Text(Cow::Borrowed(self))
    }
}

impl IntoView for String {
    fn view(self) -> View {
        View::Text(Cow::Owned(self))
    }
}

impl IntoView for () {
    fn view(self) -> View {
        View::NONE
    }
}

impl<V: IntoView> IntoView for Option<V> {
    fn view(self) -> View {
        self.map_or(View::NONE, V::view)
    }
}

impl<V: IntoView> IntoView for Vec<V> {
    fn view(self) -> View {
        self.into_iter().collect()
    }
}

impl<V: IntoView, const N: usize> IntoView for [V; N] {
    fn view(self) -> View {
        self.into_iter().collect()
    }
}

impl<V: IntoView, F: Fn() -> V + 'static> IntoView for F {
    fn view(self) -> View {
        View::Live(Box::new(move || self().view()))
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl IntoView for $number {
            fn view(self) -> View {
                self.to_string().view()
            }
        })*
    };
}
numbers! { u16 u32 u64 usize }

macro_rules! groups {
    ($($($part:ident)*;)*) => {
        $(impl<$($part: IntoView),*> IntoView for ($($part,)*) {
            fn view(self) -> View {
                #[allow(non_snake_case, reason = "the parts are named like their types")]
                let ($($part,)*) = self;
                View::Many(vec![$($part.view()),*])
            }
        })*
    };
}
groups! { A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; A B C D E F G H I; A B C D E F G H I J; }

impl<V: IntoView> FromIterator<V> for View {
    fn from_iter<I: IntoIterator<Item = V>>(views: I) -> Self {
        View::Many(views.into_iter().map(V::view).collect())
    }
}

/// The value of an attribute.
pub enum Value {
    /// The attribute is not there.
    None,
    Text(Text),
    /// Follows what it reads.
    Live(Box<dyn Fn() -> Value>),
}

/// What can be the value of an attribute.
pub trait IntoValue {
    fn value(self) -> Value;
}

impl IntoValue for &'static str {
    fn value(self) -> Value {
        Value::Text(Cow::Borrowed(self))
    }
}

impl IntoValue for String {
    fn value(self) -> Value {
        Value::Text(Cow::Owned(self))
    }
}

/// There without a value, or not there: `hidden`, `disabled`. For `aria-…`, which spells its state, see [`yes`].
impl IntoValue for bool {
    fn value(self) -> Value {
        if self { "".value() } else { Value::None }
    }
}

impl<V: IntoValue> IntoValue for Option<V> {
    fn value(self) -> Value {
        self.map_or(Value::None, V::value)
    }
}

impl<V: IntoValue, F: Fn() -> V + 'static> IntoValue for F {
    fn value(self) -> Value {
        Value::Live(Box::new(move || self().value()))
    }
}

/// `true` or `false` in words, as `aria-…` attributes want it.
pub fn yes(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// An element.
#[derive(Clone)]
pub struct El(Element);

/// Makes an element. Its classes follow the name: `p.quiet.small`.
pub fn el(name: &'static str) -> El {
    make(name, None)
}

/// Makes an element of a drawing.
pub fn svg(name: &'static str) -> El {
    make(name, Some(SVG))
}

fn make(name: &'static str, space: Option<&str>) -> El {
    let (name, classes) = name.split_once('.').unwrap_or((name, ""));
    let el = El(Rndr::create_element(name, space));
    if classes.is_empty() { el } else { el.class(classes.replace('.', " ")) }
}

impl El {
    /// Adds a child.
    pub fn child(self, child: impl IntoView) -> Self {
        put(&self.0, None, child.view());
        self
    }

    /// Sets an attribute.
    pub fn attr(self, name: &'static str, value: impl IntoValue) -> Self {
        self.set(name, value.value());
        self
    }

    /// Sets all classes: for those that are not known beforehand.
    pub fn class(self, value: impl IntoValue) -> Self {
        self.attr("class", value)
    }

    fn set(&self, name: &'static str, value: Value) {
        match value {
            Value::None => {}
            Value::Text(text) => Rndr::set_attribute(&self.0, name, &text),
            Value::Live(read) => {
                let (element, mut before) = (self.0.clone(), None::<Text>);
                follow(move || {
                    let now = settled(read());
                    match &now {
                        Some(text) if before.as_ref() != Some(text) => Rndr::set_attribute(&element, name, text),
                        None if before.is_some() => Rndr::remove_attribute(&element, name),
                        _ => {}
                    }
                    before = now;
                });
            }
        }
    }

    /// Sets a variable of the style sheets, `--x`, for this element and what is in it.
    pub fn style(self, name: &'static str, value: impl Fn() -> String + 'static) -> Self {
        self.attr("style", move || format!("{name}:{}", value()))
    }

    /// Sets a property, which is what the element does now, where the attribute is only how it began: `value`,
    /// `checked`.
    pub fn prop<V: Into<JsValue>>(self, name: &'static str, value: impl Fn() -> V + 'static) -> Self {
        self.set_prop(name, Box::new(move || value().into()));
        self
    }

    fn set_prop(&self, name: &'static str, read: Box<dyn Fn() -> JsValue>) {
        let (element, mut before) = (self.0.clone(), None);
        follow(move || {
            let now = Some(read());
            if let (Some(value), true) = (&now, before != now) {
                Rndr::set_property(&element, name, value);
            }
            before = now;
        });
    }

    /// Listens to an event as long as what owns the element is there.
    pub fn on<E: EventDescriptor>(self, event: E, act: impl Fn(E::EventType) + 'static) -> Self
    where
        E::EventType: JsCast,
    {
        self.listen(&event.name(), Box::new(move |event| act(event.unchecked_into())));
        self
    }

    fn listen(&self, name: &str, act: Box<dyn FnMut(JsValue)>) {
        keep(Rndr::add_event_listener(&self.0, name, act));
    }

    /// Lets `node` find the element.
    pub fn node<E>(self, node: NodeRef<E>) -> Self
    where
        E: ElementType,
        NodeRef<E>: NodeRefContainer<E>,
    {
        node.load(&self.0);
        self
    }

    /// Sets the inside from markup of the program's own. Never anything of a file.
    pub fn markup(self, markup: &'static str) -> Self {
        Rndr::set_inner_html(&self.0, markup);
        self
    }
}

fn settled(mut value: Value) -> Option<Text> {
    loop {
        match value {
            Value::None => return None,
            Value::Text(text) => return Some(text),
            Value::Live(read) => value = read(),
        }
    }
}

/// Draws the page into the body, for good.
pub fn mount(draw: fn() -> View) {
    leptos::mount::mount_to_body(move || put(leptos::tachys::dom::body().unchecked_ref(), None, draw()));
}

/// Runs `act` now and whenever something that it read has changed.
fn follow(act: impl FnMut() + 'static) {
    fn boxed(mut act: Box<dyn FnMut()>) {
        keep(RenderEffect::new(move |_| act()));
    }
    boxed(Box::new(act));
}

/// Runs `act` once what is being drawn is in the document, and again whenever something that it read has changed.
/// For what goes out of the page: asking, focus, storage. What can be derived is a `Memo`.
pub fn effect(act: impl FnMut() + 'static) {
    fn boxed(mut act: Box<dyn FnMut()>) {
        // Leptos runs an effect for the first time even when its owner went before its turn came; its signals are gone.
        let here = StoredValue::new(());
        Effect::new(move |_| {
            if here.try_get_value().is_some() {
                act();
            }
        });
    }
    boxed(Box::new(act));
}

/// Keeps something until the owner of the moment goes.
fn keep(what: impl Any) {
    fn boxed(what: Box<dyn Any>) {
        StoredValue::new_local(what);
    }
    boxed(Box::new(what));
}

/// Puts a view into `parent`, before a node of it or at its end.
fn put(parent: &Element, before: Option<&Node>, view: View) {
    match view {
        View::Text(text) if text.is_empty() => {}
        View::Text(text) => Rndr::insert_node(parent, &Rndr::create_text_node(&text), before),
        View::Element(El(element)) => Rndr::insert_node(parent, &element, before),
        View::Many(views) => views.into_iter().for_each(|view| put(parent, before, view)),
        View::Live(draw) => {
            let place = Place::new(parent, before);
            follow(move || place.show(draw()));
        }
        View::Rows(rows) => {
            let place = Place::new(parent, before);
            place.open();
            // Not the effect's own, which would take all rows away each time it runs.
            let Some(owner) = Owner::current() else { return };
            let mut drawn = Vec::new();
            follow(move || place.arrange(&owner, &mut drawn, rows()));
        }
    }
}

/// Where something changing is in the document: a text, or what lies between that text, empty then, and an end mark.
struct Place {
    start: Node,
    end: Node,
    /// Whether the end mark is in the document.
    open: Cell<bool>,
}

impl Place {
    fn new(parent: &Element, before: Option<&Node>) -> Self {
        let start: Node = Rndr::create_text_node("").unchecked_into();
        Rndr::insert_node(parent, &start, before);
        Self { start, end: Rndr::create_placeholder().unchecked_into(), open: Cell::new(false) }
    }

    fn parent(&self) -> Option<Element> {
        Rndr::get_parent(&self.start).map(JsCast::unchecked_into)
    }

    fn open(&self) {
        if let (false, Some(parent)) = (self.open.replace(true), self.parent()) {
            Rndr::insert_node(&parent, &self.end, Rndr::next_sibling(&self.start).as_ref());
        }
    }

    /// The nodes between start and end.
    fn inside(&self) -> impl Iterator<Item = Node> {
        let first = if self.open.get() { Rndr::next_sibling(&self.start) } else { None };
        let end = self.end.clone();
        std::iter::successors(first, Rndr::next_sibling).take_while(move |node| *node != end)
    }

    fn show(&self, view: View) {
        let held = self.held();
        let old: Vec<Node> = self.inside().collect();
        old.iter().for_each(Rndr::remove);
        match view {
            View::Text(text) => Rndr::set_text(self.start.unchecked_ref(), &text),
            View::Many(views) if views.is_empty() => Rndr::set_text(self.start.unchecked_ref(), ""),
            view => {
                Rndr::set_text(self.start.unchecked_ref(), "");
                self.open();
                if let Some(parent) = self.parent() {
                    put(&parent, Some(&self.end), view);
                }
            }
        }
        if let Some(held) = held {
            self.hold(&held);
        }
    }

    /// The way to the element inside that has the keyboard: its place among its siblings, from the outside in.
    fn held(&self) -> Option<Vec<usize>> {
        let first = self.inside().next()?;
        let active: Node = first.owner_document()?.active_element()?.into();
        let top = self.inside().position(|node| node.contains(Some(&active)))?;
        let mut way = Vec::new();
        let mut at = active;
        let root = self.inside().nth(top)?;
        while at != root {
            way.push(std::iter::successors(at.previous_sibling(), Node::previous_sibling).count());
            at = at.parent_node()?;
        }
        way.push(top);
        way.reverse();
        Some(way)
    }

    /// Gives the keyboard to the element at the end of the way, if there is one.
    fn hold(&self, way: &[usize]) -> Option<()> {
        let (top, way) = way.split_first()?;
        let mut at = self.inside().nth(*top)?;
        for &step in way {
            at = std::iter::successors(at.first_child(), Node::next_sibling).nth(step)?;
        }
        at.dyn_into::<leptos::web_sys::HtmlElement>().ok()?.focus().ok()
    }

    fn arrange(&self, owner: &Owner, drawn: &mut Vec<Drawn>, rows: Vec<Row>) {
        let Some(parent) = self.parent() else { return };
        let mut before = std::mem::take(drawn);
        for row in rows {
            let old = before.iter().position(|old| old.key == row.key).map(|at| before.remove(at));
            drawn.push(old.unwrap_or_else(|| {
                let owner = owner.child();
                let element = owner.with(|| untrack(row.draw));
                Drawn { key: row.key, element: element.0, owner }
            }));
        }
        for gone in before {
            gone.owner.cleanup();
            Rndr::remove(&gone.element);
        }
        // From the end, so that rows that stay in order are not touched: moving an element takes the focus off it.
        let mut next = self.end.clone();
        for row in drawn.iter().rev() {
            if Rndr::next_sibling(&row.element).as_ref() != Some(&next) {
                Rndr::insert_node(&parent, &row.element, Some(&next));
            }
            next = row.element.clone().into();
        }
    }
}

/// A row that may have to be drawn.
pub struct Row {
    key: String,
    draw: Box<dyn FnOnce() -> El>,
}

struct Drawn {
    key: String,
    element: Element,
    owner: Owner,
}

/// Draws a row for each item. A row is drawn once and kept as long as an item has its key, wherever it moves.
pub fn each<T: 'static>(
    items: impl Fn() -> Vec<T> + 'static,
    key: impl Fn(&T) -> String + 'static,
    draw: impl Fn(T) -> El + Clone + 'static,
) -> View {
    View::Rows(Box::new(move || {
        let row = |item: T| {
            let (key, draw) = (key(&item), draw.clone());
            Row { key, draw: Box::new(move || draw(item)) }
        };
        items().into_iter().map(row).collect()
    }))
}
