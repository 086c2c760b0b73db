/** Who may see a project, from fewest to most. */
export const VISIBILITY = ['private', 'internal', 'public'] as const;
