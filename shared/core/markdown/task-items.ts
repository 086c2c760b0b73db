import type { MarkdownIt, Token } from 'markdown-it';

/** The checkbox at the start of a task item: open, done, or inapplicable. */
const CHECKBOX = /^\[([ xX~])\](?=\s|$)/;

/** The checkbox of a task as HTML. It is disabled: tasks are changed by editing the text. */
const CHECKBOXES: Readonly<Record<string, string>> = {
  ' ': '<input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled />',
  x: '<input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled checked />',
  '~': '<input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled data-inapplicable />',
};

/** The inline token with which an item of a list begins, if it begins with text. */
function firstText(tokens: readonly Token[], at: number): Token | undefined {
  const [item, paragraph, inline] = tokens.slice(at, at + 3);
  return item?.type === 'list_item_open' && paragraph?.type === 'paragraph_open' && inline?.type === 'inline'
    ? inline
    : undefined;
}

/** Makes a checkbox of the first characters of an item. Answers whether there was one. */
function takeCheckbox(inline: Token, tokenOf: (type: string) => Token): boolean {
  const [first] = inline.children ?? [];
  const mark = first?.type === 'text' ? CHECKBOX.exec(first.content)?.[1] : undefined;
  if (!first || mark === undefined) return false;
  first.content = first.content.slice('[ ]'.length);
  const checkbox = tokenOf('task_checkbox');
  checkbox.content = CHECKBOXES[mark.toLowerCase()] ?? '';
  inline.children?.unshift(checkbox);
  return true;
}

/** Task lists: items that begin with `[ ]`, `[x]` or `[~]`, in lists of any kind and depth. */
export function taskItems(md: MarkdownIt): void {
  md.renderer.rules.task_checkbox = (tokens, index) => tokens[index]?.content ?? '';
  md.core.ruler.after('inline', 'task_items', (state) => {
    const lists: Token[] = [];
    for (const [at, token] of state.tokens.entries()) {
      if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') lists.push(token);
      else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') lists.pop();
      const inline = firstText(state.tokens, at);
      if (!inline || !takeCheckbox(inline, (type) => new state.Token(type, '', 0))) continue;
      token.attrSet('class', 'task-list-item');
      lists.at(-1)?.attrSet('class', 'task-list');
    }
  });
}
