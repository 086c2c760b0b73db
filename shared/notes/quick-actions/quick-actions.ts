import type { NoteableType, Noteable } from '../noteables/noteable.js';
import { BadParams, CapstanError, Invalid } from '../../core/values/errors.js';
import type { SignedInContext } from '../../core/context/context.js';
import { epicCommands, epicDrafts } from './epic-commands.js';
import { issueCommands, issueDrafts } from './issue-commands.js';
import { mergeRequestCommands, mergeRequestDrafts } from './merge-request-commands.js';
import type { QuickActions, Command, CommandsOutcome } from './quick-action.js';
import { BadCommand } from './command-arguments.js';
import { Draft } from './draft.js';
import type { Drafted, DraftKind } from './draft.js';
import type { DraftCommand } from './edit-commands.js';

/** Commands of one comment. */
const MOST = 50;

/** Why a command was not done, in a sentence; null for an error that is none of the caller's. */
function formatFailure(error: unknown, name: string): string | null {
  if (!(error instanceof BadCommand || error instanceof CapstanError)) return null;
  const isRejection = error instanceof BadCommand || error instanceof Invalid || error instanceof BadParams;
  // Messages that begin with a status are meant for clients, not for users.
  const reason = isRejection && !/^\d{3} /.test(error.message) ? error.message : '';
  return `Could not apply ${name} command.${reason === '' ? '' : ` ${reason}`}`;
}

/** Does one command. @returns whether it was */
async function attempt(work: () => Promise<string> | string, name: string, done: string[], errors: string[]) {
  try {
    done.push(await work());
    return true;
  } catch (error) {
    const failure = formatFailure(error, name);
    if (failure === null) throw error;
    errors.push(failure);
    return false;
  }
}

/** The commands for records of a kind, run in order: each with the caller's permissions, or with an error message. */
function getActions<R extends Drafted>(
  kind: DraftKind<R>,
  byName: Readonly<Record<string, DraftCommand<R>>>,
): QuickActions {
  async function run(
    ctx: SignedInContext,
    noteable: Noteable,
    commands: readonly Command[],
    expectedSha?: string,
  ): Promise<CommandsOutcome> {
    if (commands.length > MOST)
      throw new Invalid(`400 Bad request - Note {:note=>["has too many quick actions (maximum is ${MOST})"]}`);
    const draft = new Draft(ctx, kind, noteable.record as R, expectedSha);
    const messages: string[] = [];
    const errors: string[] = [];
    for (const { name, argument } of commands)
      await attempt(() => byName[name]!(draft, argument), name, messages, errors);
    const isSaved = await attempt(() => draft.write().then(() => ''), 'edit', [], errors);
    return {
      names: [...new Set(commands.map(({ name }) => name))],
      changes: draft.changes,
      messages: isSaved ? messages : [],
      errors,
    };
  }
  return { names: new Set(Object.keys(byName)), run };
}

/** What lines of a comment can do to what it is about; to a commit or snippet nothing. */
export const QUICK_ACTIONS: Readonly<Record<NoteableType['kind'], QuickActions | null>> = {
  issue: getActions(issueDrafts, issueCommands),
  merge_request: getActions(mergeRequestDrafts, mergeRequestCommands),
  epic: getActions(epicDrafts, epicCommands),
  commit: null,
  snippet: null,
};
