import type { ResolverClass } from '../core/graphql/requests/engine.js';
import {
  DiscussionCountOfIssueResolver,
  DiscussionCountOfMergeRequestResolver,
} from './discussions/discussion-counts.graphql.js';
import { NoteMutations } from './notes/note-mutations.graphql.js';
import { NoteResolver, NotesOfIssueResolver, NotesOfMergeRequestResolver } from './notes/note-queries.graphql.js';

/** What GraphQL serves of this domain. */
export const notesResolvers: readonly ResolverClass[] = [
  DiscussionCountOfIssueResolver,
  DiscussionCountOfMergeRequestResolver,
  NoteMutations,
  NoteResolver,
  NotesOfIssueResolver,
  NotesOfMergeRequestResolver,
];
