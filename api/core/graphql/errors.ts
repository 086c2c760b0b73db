import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Context } from '../../../shared/core/context/context.js';
import { translateOutage } from '../../../shared/core/values/database-errors.js';
import {
  CapstanError,
  ClientGone,
  Forbidden,
  InsufficientScope,
  NotFound,
  Overloaded,
  SpamDetected,
  Unauthenticated,
} from '../../../shared/core/values/errors.js';

/** One message for missing and forbidden resources, so that existence is not revealed (graphql.md section 1.3). */
export const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

const NOT_READ = 'The answer could not be read: look whether the change was made before you repeat it';

/** An error of the caller, with a message for the caller: a top-level error. */
export class GraphqlProblem extends CapstanError {}

/** Whether an error only means that the resource is missing or hidden for this caller. */
export function isHidden(error: unknown): boolean {
  return (
    error instanceof NotFound ||
    error instanceof Forbidden ||
    error instanceof Unauthenticated ||
    error instanceof InsufficientScope
  );
}

function getMessage(error: GraphQLError, { log, origin }: Context): string {
  if (!error.originalError) return error.message;
  const cause = translateOutage(error.originalError) as Error;
  if (isHidden(cause)) return NOT_AVAILABLE;
  // The database, or the process, gave up: that is the whole request's answer.
  if (cause instanceof ClientGone) throw cause;
  if (cause instanceof Overloaded) {
    if (!origin.after?.committed) throw cause;
    // Clients that retry would repeat the changes of an earlier field.
    log.error({ err: cause, path: error.path }, 'what was committed was not read again');
    return NOT_READ;
  }
  if (cause instanceof CapstanError) return cause.message;
  // The engine's own error: a hidden resource, so null, in a field that the schema declares non-null.
  if (cause.message.startsWith('Cannot return null for non-nullable field')) return cause.message;
  log.error({ err: cause, path: error.path }, 'resolver failed');
  return 'Internal server error';
}

/**
 * Extensions of an error in addition to its message: how to proceed after a spam detection (graphql.md section 6.1).
 */
function getExtensions({ originalError, extensions }: GraphQLError): Record<string, unknown> {
  if (!(originalError instanceof SpamDetected)) return extensions;
  const { challenge } = originalError;
  if (!challenge) return { spam: true };
  return { needsCaptchaResponse: true, captchaSiteKey: challenge.siteKey, spamLogId: challenge.spamLogId };
}

/**
 * An error as callers see it: nothing of a bug but that there was one, which is logged.
 * @throws Overloaded, ClientGone
 */
export function presentError(error: GraphQLError, ctx: Context): GraphQLFormattedError {
  const { locations, path } = error;
  const extensions = getExtensions(error);
  return {
    message: getMessage(error, ctx),
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}
