import type { ProjectEvent } from '../../repositories/repositories/event.entity.js';
import type { PushEventPayload } from '../../repositories/repositories/push-event-payload.entity.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Note } from '../notes/note.entity.js';

interface NamedTarget {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
}

/** Something that somebody did in a project, with what they did it to. */
export interface EventRecord extends ProjectEvent {
  author: UserSummary;
  push: (PushEventPayload & { id: number }) | null;
  note: Note | null;
  /** What was changed, or commented on. */
  issue: NamedTarget | null;
  merge_request: NamedTarget | null;
  snippet: Omit<NamedTarget, 'iid'> | null;
  milestone: NamedTarget | null;
}
