import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The two sets of names that clients send: `slight_smile` is of one, `slightly_smiling_face` of both. */
const SETS = ['joypixels', 'github'] as const;

type Names = Record<string, string | string[]>;

/** An emoji: its characters, and what it is called. */
interface Emoji {
  readonly unicode: string;
  readonly label: string;
}

const getNames = (set: (typeof SETS)[number]) => require(`emojibase-data/en/shortcodes/${set}.json`) as Names;

let emojiNames: Set<string> | undefined;
let byName: Map<string, Emoji> | undefined;

/** Whether an emoji has this name, without colons: `thumbsup`. The names are loaded on first use. */
export function isEmojiName(name: string): boolean {
  emojiNames ??= new Set(SETS.flatMap((set) => Object.values(getNames(set)).flat()));
  return emojiNames.has(name);
}

/** The emoji of a name without colons, if there is one. They are loaded on first use. */
export function findEmoji(name: string): Emoji | undefined {
  byName ??= loadEmoji();
  return byName.get(name);
}

function loadEmoji(): Map<string, Emoji> {
  const all = require('emojibase-data/en/compact.json') as (Emoji & { hexcode: string })[];
  const byCode = new Map(all.map(({ hexcode, unicode, label }) => [hexcode, { unicode, label }]));
  return new Map(
    SETS.flatMap((set) =>
      Object.entries(getNames(set)).flatMap(([code, names]) => {
        const emoji = byCode.get(code);
        return emoji ? [names].flat().map((name): [string, Emoji] => [name, emoji]) : [];
      }),
    ),
  );
}
