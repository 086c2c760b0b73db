import { readHelpSources } from '../../api/instance/help/help-pages.js';

/** The pages of the help as they are written, by their names, in their order. */
export const helpPages: ReadonlyMap<string, string> = new Map(
  [...readHelpSources()].map(([slug, { markdown }]) => [slug, markdown]),
);

/** A block of code, also within an item of a list. */
const BLOCK = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** The blocks of code of a page, each without its margin, with the language that it names. */
export const blocksIn = (text: string): { language: string; content: string }[] =>
  [...text.matchAll(BLOCK)].map(([, margin = '', language = '', content = '']) => ({
    language,
    content: content
      .split('\n')
      .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line))
      .join('\n')
      .trim(),
  }));

/** The shell commands of a page, as they stand there. */
export const commandsIn = (text: string): string[] =>
  blocksIn(text).flatMap(({ language, content }) => (language === 'sh' ? [content] : []));
