import type { WorkerDomain } from '../core/handler.js';
import { NotFound } from '../../shared/core/values/errors.js';
import { keepMentionsOf } from '../../shared/notes/note-mentions/keep-note-mentions.js';
import {
  createMemberToDos,
  createMentionToDos,
  keepNoteMentions,
  movePositions,
} from '../../shared/notes/notes.jobs.js';
import { findAnyNote } from '../../shared/notes/notes/note.finder.js';
import { actAsUser } from '../../shared/tenancy/users/acting-user.js';
import { handler } from '../core/handler.js';
import { createToDosOfMembers, createToDosOfMentions } from '../../shared/notes/to-dos/mention-to-dos.js';
import { movePositionsOf } from '../../shared/notes/positions/move-positions.js';

/** Stores the mentions of a long comment. A deleted note mentions nothing. */
const keepMentions = handler({
  kind: keepNoteMentions,
  batchSize: 10,
  handle: async (ctx, { note_id: noteId, user_id: userId }) => {
    const acting = await actAsUser(ctx, userId);
    if (!acting) return;
    await acting.transaction(async () => {
      const note = await findAnyNote(acting, noteId).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      });
      if (note) await keepMentionsOf(acting, note, false);
    });
  },
});

/** Has the diff notes of a merge request follow its newest version. */
const moveNotePositions = handler({
  kind: movePositions,
  batchSize: 1,
  handle: (ctx, { merge_request_id: id, user_id: userId }) => movePositionsOf(ctx, id, userId),
});

/** Notifies those whom a text mentions. */
const createToDos = handler({
  kind: createMentionToDos,
  batchSize: 10,
  handle: createToDosOfMentions,
});

/** Notifies the members of groups that a text mentions. */
const createToDosOfGroups = handler({
  kind: createMemberToDos,
  batchSize: 10,
  handle: createToDosOfMembers,
});

export const notesWorkers: WorkerDomain = {
  handlers: [keepMentions, moveNotePositions, createToDos, createToDosOfGroups],
};
