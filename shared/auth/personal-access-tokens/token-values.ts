import type { Context } from '../../core/context/context.js';
import { day, list, optional, oneOf, text, clearableText } from '../../core/operations/fields.js';
import { today } from '../../tenancy/namespaces/access.js';
import { TOKEN_SCOPES } from './create-token.js';

/** A token may live this long at most. */
const MAX_DAYS = 365;
const DAY_MS = 86_400_000;

/** The day that begins so many days after today, UTC. */
export const daysFromNow = (ctx: Context, days: number): string =>
  new Date(ctx.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Parameters of making a token, whatever its kind. */
export const newTokenParams = {
  name: text()
    .describe('Name of the token.')
    .meta({ examples: ['Nightly report'] }),
  description: clearableText().describe('Description of the token.'),
  scopes: list(oneOf(TOKEN_SCOPES), { commas: true }).describe('Scopes of the token.'),
  expires_at: optional(day()).describe('Date when the token expires, at 00:00 UTC; at most 365 days from now.'),
};

/** Error message for a token's name or scopes, or null (core-resources.md section 2). */
export function valueProblem(attributes: { name: string; scopes: readonly string[] }): string | null {
  if (attributes.name.trim() === '') return "Name can't be blank";
  if ([...attributes.name].length > 255) return 'Name is too long (maximum is 255 characters)';
  return attributes.scopes.length === 0 ? "Scopes can't be blank" : null;
}

/** Error message for a token's expiry date, or null. No date is allowed, unless the instance requires one. */
export function expiryProblem(ctx: Context, expiresOn: string | undefined): string | null {
  if (expiresOn === undefined)
    return ctx.settings.require_personal_access_token_expiry ? "Expiration date can't be blank" : null;
  const last = daysFromNow(ctx, MAX_DAYS);
  if (expiresOn > last) return `Expiration date must be on or before ${last}`;
  return expiresOn < today(ctx) ? 'Expiration date must be in the future' : null;
}
