import type { ResolverClass } from '../core/graphql/requests/engine.js';
import {
  DiscussionCountOfIssueResolver,
  DiscussionCountOfMergeRequestResolver,
} from './discussions/discussion-counts.graphql.js';
import { DiscussionOfNoteResolver } from './discussions/discussions.graphql.js';
import { DiffNoteMutations, NoteMutations } from './notes/note-mutations.graphql.js';
import { NoteDetailsResolver } from './notes/note-details.graphql.js';
import { NoteableResolver, NoteResolver } from './notes/note-queries.graphql.js';

/** What GraphQL serves of this domain. */
export const notesResolvers: readonly ResolverClass[] = [
  DiscussionCountOfIssueResolver,
  DiscussionCountOfMergeRequestResolver,
  DiscussionOfNoteResolver,
  NoteMutations,
  DiffNoteMutations,
  NoteDetailsResolver,
  NoteResolver,
  NoteableResolver,
];
