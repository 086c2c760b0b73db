import type { MarkdownIt } from 'markdown-it';

/** A megabyte of prose has some 130,000, one of empty cells three million. So many take some 200 MiB. */
const MOST_TOKENS = 300_000;

/** A text is made of more than is rendered of one. */
export class TooManyTokens extends Error {}

/** How many tokens a text has been made into so far. */
interface Counting {
  tokens?: number;
}

function count(env: Counting): void {
  env.tokens = (env.tokens ?? 0) + 1;
  if (env.tokens > MOST_TOKENS) throw new TooManyTokens();
}

/**
 * Ends the parsing of a text that is made of too many parts, whatever they are: what they are kept in is what takes
 * memory, and a thread that runs out of it may take its process along.
 * @throws TooManyTokens from `parse` and `render`
 */
export function tokenLimit({ block, inline }: MarkdownIt): void {
  const { State: BlockState } = block;
  const { State: InlineState } = inline;
  block.State = class extends BlockState {
    override push(...args: Parameters<InstanceType<typeof BlockState>['push']>) {
      count(this.env as Counting);
      return super.push(...args);
    }
  };
  inline.State = class extends InlineState {
    override push(...args: Parameters<InstanceType<typeof InlineState>['push']>) {
      count(this.env as Counting);
      return super.push(...args);
    }
  };
}
