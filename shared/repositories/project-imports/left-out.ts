/** Full names of branches and tags that an import or mirror leaves as they are, by why it does. */
export interface LeftOut {
  /** What nothing may be called here. */
  unfit?: readonly string[];
  /** Refs that the mirror user may not push. */
  denied?: readonly string[];
  /** `a` next to `a/b`: git cannot store both. */
  crowded?: readonly string[];
}

const REASONS: Record<keyof LeftOut, string> = {
  unfit: 'their names are not allowed',
  denied: 'the user who answers for the mirror may not push to them',
  crowded: 'their names begin like those of others here',
};
/** Maximum number of names to list for each kind; the others are counted. */
const MAX_LISTED = 10;
const LONGEST = 100;

const shorten = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name);

/** What was left out and why, for people; null where nothing was. */
export function leftOutText(left: LeftOut): string | null {
  const parts = (Object.keys(REASONS) as (keyof LeftOut)[]).flatMap((kind) => {
    const names = left[kind] ?? [];
    if (names.length === 0) return [];
    const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
    return [`${names.slice(0, MAX_LISTED).map(shorten).join(', ')}${more} (${REASONS[kind]})`];
  });
  return parts.length === 0 ? null : `Left out: ${parts.join('; ')}.`;
}
