import { attributeKinds } from './attributes.js';
import type { ArchiveRelation } from './attributes.js';
import { sharedAttributes } from './shared-attributes.js';

const { id, text, user, word } = attributeKinds;
const { author, awardEmoji, notes, timestamps } = sharedAttributes;

/**
 * Snippets of a project (group-export-import.md section 7). Their files are in the bundles of their repositories;
 * `file_name` and `content`, null in archives of ours, are the only file of one that has no bundle.
 */
export const snippetRelation: ArchiveRelation = {
  name: 'snippets',
  attributes: {
    id,
    title: text,
    description: text,
    author_id: user,
    visibility_level: word(0, 10, 20),
    file_name: text,
    content: text,
    ...timestamps,
    author,
    award_emoji: awardEmoji,
    notes,
  },
};
