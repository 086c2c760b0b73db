/** Who may see a project or group, from fewest to most. */
export const VISIBILITY = ['private', 'internal', 'public'] as const;

/** Where a visibility stands among them: the wider, the higher. */
export const visibilityRank = (visibility: string): number => VISIBILITY.findIndex((level) => level === visibility);
