import type { MarkdownIt } from 'markdown-it';

/** A megabyte of prose has some 130,000, one of empty cells three million. So many take some 200 MiB. */
const MOST_TOKENS = 300_000;

/** A text has more tokens than the limit. */
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
 * Aborts the parsing of a text with too many tokens of any type: they account for most of the memory, and a thread that
 * runs out of memory can crash its process.
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
