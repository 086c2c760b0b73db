import type { DomainEvent } from '../../core/values/events.js';
import type { NewToDo, ToDoTarget } from './insert-to-dos.js';
import type { ToDoAction } from './to-do.entity.js';

/** To-dos of one user that are done, or of everybody: those about a target, limited to one action if that is set. */
export interface DoneToDos {
  /** Null for everybody. */
  readonly user_id: number | null;
  readonly target: ToDoTarget;
  readonly action?: ToDoAction;
}

/** A text in which somebody may be mentioned. */
export interface WrittenText {
  readonly source: 'issue' | 'merge_request' | 'epic' | 'note';
  readonly id: number;
}

/** What an event changes on lists. */
export interface Effects {
  readonly done?: readonly DoneToDos[];
  readonly added?: readonly Omit<NewToDo, 'created_at'>[];
  readonly texts?: readonly WrittenText[];
  /** A pipeline whose end concerns the merge requests that it ran for. */
  readonly pipeline?: DomainEvent<'pipeline.finished'>['pipeline'];
}

/**
 * Items of those responsible for a merge request that is stuck: its author, and who set it to be merged. They are the
 * authors of these items themselves.
 */
export const toDosOfResponsible = (
  request: { author_id?: number | null; merge_user_id?: number | null; auto_merge_enabled: boolean },
  target: ToDoTarget,
  action: ToDoAction,
): Omit<NewToDo, 'created_at'>[] => {
  const users = [request.author_id, request.auto_merge_enabled ? request.merge_user_id : null];
  return [...new Set(users)].flatMap((id) => (id ? [{ ...target, user_id: id, author_id: id, action }] : []));
};
