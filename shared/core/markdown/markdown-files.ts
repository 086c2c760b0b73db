/** Extensions of Markdown files; the first one is used for new files. */
export const MARKDOWN_ENDINGS = ['md', 'markdown', 'mkd', 'mkdn', 'mdown'] as const;

// Own pattern: endings of names.
const MARKDOWN = new RegExp(`\\.(?:${MARKDOWN_ENDINGS.join('|')})$`, 'i');

/** Whether a file of this name or path holds Markdown. */
export const isMarkdownFile = (name: string): boolean => MARKDOWN.test(name);
