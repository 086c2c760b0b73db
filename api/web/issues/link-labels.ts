/** How two issues are related, seen from the first, in words. */
export const LINK_LABELS = {
  relates_to: 'relates to',
  blocks: 'blocks',
  is_blocked_by: 'is blocked by',
} as const;

export type LinkType = keyof typeof LINK_LABELS;
