import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The two sets of names that clients send: `slight_smile` is of one, `slightly_smiling_face` of both. */
const SETS = ['joypixels', 'github'] as const;

let known: Set<string> | undefined;

/** Whether an emoji has this name, without colons: `thumbsup`. The names are loaded when they are first asked for. */
export function isEmojiName(name: string): boolean {
  known ??= new Set(
    SETS.flatMap((set) =>
      Object.values(require(`emojibase-data/en/shortcodes/${set}.json`) as Record<string, string | string[]>).flat(),
    ),
  );
  return known.has(name);
}
