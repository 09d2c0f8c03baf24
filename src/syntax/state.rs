//! The parser's state: a stack with Root at its bottom, a buffer of words to come, and the arcs so far.
//!
//! The first two children on either side of every node are kept up to date while arcs are added, since the
//! features ask for them at every step. In arc-standard parsing a new left child always lies left of the
//! earlier ones, and a new right child right of them, so the outermost child is simply the latest.

/// A node of the tree under construction: nothing, Root, or a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node(u32);

impl Node {
    /// No node: what features find beyond the end of stack, buffer or children.
    pub const NULL: Node = Node(0);
    /// The artificial node above the tree's root.
    pub const ROOT: Node = Node(1);

    /// The word at `position`.
    pub fn word(position: u32) -> Node {
        Node(position + 2)
    }

    /// The position of a word, `None` for Null and Root.
    pub fn position(self) -> Option<u32> {
        self.0.checked_sub(2)
    }

    /// The number of the node: 0 for Null, 1 for Root, then the words.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The relatives of a node that features look at; [`Node::NULL`] where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kin {
    /// First and second leftmost child, among those left of the node.
    pub left: [Node; 2],
    /// First and second rightmost child, among those right of the node.
    pub right: [Node; 2],
    /// The leftmost child of the leftmost child.
    pub left_left: Node,
    /// The rightmost child of the rightmost child.
    pub right_right: Node,
}

impl Kin {
    /// Adds `child`, whose own children are complete, to the left of all others.
    pub fn add_left(&mut self, child: Node, of_child: &Kin) {
        self.left = [child, self.left[0]];
        self.left_left = of_child.left[0];
    }

    /// Adds `child`, whose own children are complete, to the right of all others.
    pub fn add_right(&mut self, child: Node, of_child: &Kin) {
        self.right = [child, self.right[0]];
        self.right_right = of_child.right[0];
    }
}

/// Below Root lie two Nulls, so that the top three can be read without asking how deep the stack is.
const PADDING: usize = 2;

/// Stack, buffer and arcs of one sentence; [`State::reset`] makes it ready for the next without allocating.
#[derive(Clone, Debug, Default)]
pub struct State {
    stack: Vec<Node>,
    /// The buffer is always the words `next..end`.
    next: u32,
    end: u32,
    heads: Vec<Node>,
    kin: Vec<Kin>,
}

impl State {
    /// The initial state of a sentence of `words` words.
    pub fn new(words: usize) -> State {
        let mut state = State::default();
        state.reset(words);
        state
    }

    /// Goes back to the initial state, for a sentence of `words` words.
    pub fn reset(&mut self, words: usize) {
        self.stack.clear();
        self.stack.extend([Node::NULL, Node::NULL, Node::ROOT]);
        self.next = 0;
        self.end = words as u32;
        self.heads.clear();
        self.heads.resize(words, Node::NULL);
        self.kin.clear();
        self.kin.resize(words + 2, Kin::default());
    }

    /// The number of words in the sentence.
    pub fn words(&self) -> usize {
        self.heads.len()
    }

    /// The stack from Root at the bottom to the top.
    pub fn stack(&self) -> &[Node] {
        &self.stack[PADDING..]
    }

    /// The `depth`-th node from the top of the stack, 0 being the top itself.
    pub fn top(&self, depth: usize) -> Node {
        let place = self.stack.len().checked_sub(depth + 1);
        place.map_or(Node::NULL, |place| self.stack[place])
    }

    /// The `ahead`-th word of the buffer, 0 being the next one.
    pub fn ahead(&self, ahead: u32) -> Node {
        match self.next + ahead < self.end {
            true => Node::word(self.next + ahead),
            false => Node::NULL,
        }
    }

    /// How many words are still in the buffer.
    pub fn buffered(&self) -> usize {
        (self.end - self.next) as usize
    }

    /// The relatives of `node` known so far.
    pub fn kin(&self, node: Node) -> &Kin {
        &self.kin[node.index()]
    }

    /// Whether the buffer is empty and the stack holds nothing but Root.
    pub fn is_terminal(&self) -> bool {
        self.next == self.end && self.stack.len() == PADDING + 1
    }

    /// Writes the head of every word over `heads`; `None` for a child of Root or a word without a head yet.
    pub fn heads_into(&self, heads: &mut Vec<Option<u32>>) {
        heads.clear();
        heads.extend(self.heads.iter().map(|head| head.position()));
    }

    /// Moves the next word to the stack. Only for a buffer that is not empty.
    pub(super) fn shift(&mut self) {
        self.stack.push(Node::word(self.next));
        self.next += 1;
    }

    /// Makes the second of the stack a left child of the top. Only for two words.
    pub(super) fn attach_left(&mut self) {
        let (head, child) = (self.top(0), self.top(1));
        let of_child = self.kin[child.index()];
        self.kin[head.index()].add_left(child, &of_child);
        self.set_head(child, head);
        self.stack.truncate(self.stack.len() - 2);
        self.stack.push(head);
    }

    /// Makes the top of the stack a right child of the second. Only for a word above another node.
    pub(super) fn attach_right(&mut self) {
        let (child, head) = (self.top(0), self.top(1));
        let of_child = self.kin[child.index()];
        self.kin[head.index()].add_right(child, &of_child);
        self.set_head(child, head);
        self.stack.pop();
    }

    fn set_head(&mut self, child: Node, head: Node) {
        if let Some(position) = child.position() {
            self.heads[position as usize] = head;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<const N: usize>(positions: [u32; N]) -> [Node; N] {
        positions.map(Node::word)
    }

    #[test]
    fn the_outermost_children_come_first() {
        let mut state = State::new(7);
        for _ in 0..4 {
            state.shift();
        }
        for _ in 0..3 {
            state.attach_left();
        }
        for _ in 0..3 {
            state.shift();
            state.attach_right();
        }
        let kin = state.kin(Node::word(3));
        assert_eq!(kin.left, words([0, 1]));
        assert_eq!(kin.right, words([6, 5]));
        assert_eq!(state.stack(), [Node::ROOT, Node::word(3)]);
    }

    #[test]
    fn grandchildren_follow_the_outermost_child() {
        let mut state = State::new(4);
        state.shift();
        state.shift();
        state.attach_left(); // 0 under 1
        state.shift();
        state.attach_left(); // 1 under 2
        assert_eq!(state.kin(Node::word(2)).left_left, Node::word(0));
        state.shift();
        state.attach_left(); // 2 under 3
        assert_eq!(state.kin(Node::word(3)).left_left, Node::word(1));
    }

    #[test]
    fn a_reset_state_is_like_new() {
        let mut state = State::new(2);
        state.shift();
        state.shift();
        state.attach_right();
        state.reset(1);
        assert_eq!(state.stack(), [Node::ROOT]);
        assert_eq!((state.ahead(0), state.ahead(1)), (Node::word(0), Node::NULL));
        assert_eq!(*state.kin(Node::word(0)), Kin::default());
    }
}
