import type { SignedInContext } from '../../core/context/context.js';
import { NotModified } from '../../core/values/errors.js';
import { boolean } from '../../core/operations/fields.js';
import type { Load } from '../../core/context/loads.js';
import { operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import type { Rule } from '../../core/operations/policy.js';
import type { IssuableRef, IssuableType } from './issuable-type.js';
import { setSubscription } from './subscribe.js';

/** A kind of records that users subscribe to. */
interface SubscribedType<T extends IssuableRef> {
  readonly type: IssuableType;
  /** As names of operations call it. */
  readonly noun: string;
  /** `an issue`. */
  readonly nounPhrase: string;
  readonly resource: Resource<T>;
  readonly can: { readonly ability: string; readonly rule: Rule<T> };
  readonly subscriptions: Load<T, boolean>;
  /** Reloads the record in its current state. */
  readonly again: (ctx: SignedInContext, found: T) => Promise<T>;
}

/** Subscribing to records of a kind and unsubscribing from them: signed-in users who can read them. */
export function subscriptionOperations<T extends IssuableRef>({
  type,
  noun,
  nounPhrase,
  resource,
  can,
  subscriptions,
  again,
}: SubscribedType<T>) {
  /** @returns null if the subscription already has this state */
  async function setTo(ctx: SignedInContext, found: T, subscribed: boolean): Promise<T | null> {
    await subscriptions.fill(ctx, [found]);
    if (subscriptions.of(found, ctx) === subscribed) return null;
    await setSubscription(ctx, type, found, subscribed);
    return again(ctx, found);
  }

  /** @throws NotModified if the subscription already has this state */
  async function change(ctx: SignedInContext, found: T, subscribed: boolean): Promise<T> {
    const changed = await setTo(ctx, found, subscribed);
    if (!changed) throw new NotModified();
    return changed;
  }

  const written = { resource, can, kind: 'write', statements: 22 } as const;
  return {
    subscribe: operation({
      name: `subscribeTo${noun}`,
      summary: `Subscribe to ${nounPhrase}`,
      ...written,
      run: (ctx, found) => change(ctx, found, true),
    }),

    unsubscribe: operation({
      name: `unsubscribeFrom${noun}`,
      summary: `Unsubscribe from ${nounPhrase}`,
      ...written,
      run: (ctx, found) => change(ctx, found, false),
    }),

    /** As in GraphQL, where the subscription may already have this state. */
    set: operation({
      name: `set${noun}Subscription`,
      summary: `Subscribe to ${nounPhrase}, or unsubscribe`,
      ...written,
      params: {
        subscribed: boolean().describe('If `true`, subscribes the caller; if `false`, unsubscribes the caller.'),
      },
      run: async (ctx, found, input) => (await setTo(ctx, found, input.subscribed)) ?? found,
    }),
  };
}
