import { z } from 'zod';
import type { Caller } from '../../core/context/callers.js';
import { clearableText, optional, presentText, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { Forbidden, Gone, NotImplemented } from '../../core/values/errors.js';
import { mutuallyExclusive } from '../../core/operations/params.js';
import { removeManager, removeOwnRunner, resetOwnToken } from './change-runner.js';
import { insertRunner } from './create-runner.js';
import { findRegistration } from './registration-tokens.js';
import type { Runner } from './runner.entity.js';
import { activeParam, runnerParams, withoutActive } from './runner.params.js';
import { findRunnerByToken } from './runner-tokens.js';
import type { IssuedToken } from './runner-tokens.js';
import { touchRunnerManager } from './touch-runner-manager.js';

/*
 * What a runner's program does with the runner's own token or, to register, a registration token (ci-execution.md
 * section 10). The token is a parameter, or the header `RUNNER-TOKEN`, and the only credential that is looked at.
 */

const tokenParam = text()
  .describe('Authentication token of the runner.')
  .meta({ examples: ['glrt-token-of-the-runner'] });

/** A runner with the token that was sent. */
interface OwnRunner extends Runner {
  token: string;
}

/** The runner of the token that was sent. */
const ownRunner: Resource<OwnRunner, Caller> = {
  noun: 'Runner',
  params: { token: tokenParam },
  async find(ctx, input: { token: string }) {
    const found = await findRunnerByToken(ctx, input.token);
    if (!found) throw new Forbidden();
    return { ...found, token: input.token };
  },
};

const ofProgram = { resource: ownRunner, authentication: 'open' } as const;

/** What a program sends of itself; unknown keys are ignored. */
const contactParams = {
  system_id: optional(text()).describe('Name of the program that uses the token, which stays the same.'),
  info: optional(z.looseObject({}).meta({ type: 'object' })).describe(
    'Version, platform, executor and features of the program.',
  ),
};

export const verifyRunner = operation({
  name: 'verifyRunner',
  ...ofProgram,
  summary: 'Verify the token of a runner',
  kind: 'write',
  params: contactParams,
  async run(ctx, found, { system_id: systemId, info }): Promise<IssuedToken> {
    if (systemId !== undefined) await touchRunnerManager(ctx, found, { system_id: systemId, info, ip: ctx.origin.ip });
    return { id: found.id, token: found.token, token_expires_at: found.token_expires_at ?? null };
  },
});

export const deleteOwnRunner = operation({
  name: 'deleteOwnRunner',
  ...ofProgram,
  summary: 'Delete the runner of a token',
  kind: 'write',
  run: (ctx, found) => removeOwnRunner(ctx, found),
});

export const deleteOwnManager = operation({
  name: 'deleteOwnManager',
  ...ofProgram,
  summary: 'Delete a manager of the runner of a token',
  kind: 'write',
  params: {
    system_id: presentText()
      .describe('Name of the program that is removed.')
      .meta({ examples: ['s_c2d22f638c25'] }),
  },
  run: (ctx, found, { system_id: systemId }) => removeManager(ctx, found, systemId),
});

export const resetOwnRunnerToken = operation({
  name: 'resetOwnRunnerToken',
  ...ofProgram,
  summary: 'Exchange the token of a runner for a new one',
  kind: 'write',
  run: (ctx, found) => resetOwnToken(ctx, found),
});

export const registerRunner = operation({
  name: 'registerRunner',
  summary: 'Register a runner with a registration token',
  resource: instance,
  authentication: 'open',
  kind: 'write',
  params: {
    token: text()
      .describe('Registration token of the instance, a group or a project.')
      .meta({ examples: ['registration-token'] }),
    ...runnerParams,
    active: activeParam,
    maintainer_note: clearableText().describe('Older name of `maintenance_note`.'),
    info: contactParams.info,
  },
  rules: [mutuallyExclusive('active', 'paused'), mutuallyExclusive('maintainer_note', 'maintenance_note')],
  async run(ctx, _instance, { token, info: _info, maintainer_note: note, ...input }): Promise<IssuedToken> {
    if (!ctx.settings.allow_runner_registration_token) throw new Gone('runner registration disallowed');
    const found = await findRegistration(ctx, token);
    if (!found) throw new Forbidden('invalid token supplied');
    if (!found.open) throw new Forbidden();
    const attributes = withoutActive({ ...input, maintenance_note: input.maintenance_note ?? note });
    return insertRunner(ctx, found.owner, { runner_type: found.runner_type, ...attributes }, true);
  },
});

export const discoverRouter = operation({
  name: 'discoverRouter',
  ...ofProgram,
  summary: 'Ask for the address of a router of jobs',
  kind: 'read',
  run(): Promise<never> {
    throw new NotImplemented();
  },
});
