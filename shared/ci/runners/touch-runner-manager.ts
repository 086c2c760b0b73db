import { LRUCache } from 'lru-cache';
import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { cast, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { Forbidden, RateLimited } from '../../core/values/errors.js';
import type { Queryable } from '../../core/database/database.js';
import type { CiDatabase } from '../ci.entities.js';
import { RunnerManager } from './runner.entity.js';
import type { Runner, RunnerFeatures } from './runner.entity.js';

/** A contact is written at most this often for a manager. */
const CONTACT_EVERY_MS = 40_000;
const NEW_MANAGERS = 1000;
const NEW_MANAGERS_WITHIN_MS = 600_000;
const REMEMBERED_BYTES = 64 * 1024 * 1024;
const OVERHEAD_BYTES = 1_000;
/** What was sent is held as one text and, with the manager, as values of its own. */
const BYTES_A_CHARACTER = 4;
const MAX_TEXT = 255;
const MAX_FEATURES = 100;
/** Runners before 16.0 send no `system_id`: they have one manager. */
const UNNAMED_SYSTEM = '<legacy>';
const NO_FEATURES = '{}';
const INFO_TEXTS = ['version', 'revision', 'platform', 'architecture', 'executor'] as const;

/** What a runner's program sends of itself with a request. */
export interface RunnerContact {
  readonly system_id?: string | undefined;
  /** As it was sent: values of other types than expected are dropped. */
  readonly info?: unknown;
  readonly ip: string | null;
}

type ManagerInfo = Record<(typeof INFO_TEXTS)[number] | 'ip_address', string | null> & { features: RunnerFeatures };

const cut = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\0', '');

const asHash = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

function readFeatures(value: unknown): RunnerFeatures {
  const entries = Object.entries(asHash(value)).slice(0, MAX_FEATURES);
  return Object.fromEntries(entries.map(([name, has]) => [cut(name), has === true]));
}

/** What is stored of `info`. A text that was not sent is not forgotten by an update, so that it is null here. */
function readInfo({ info, ip }: RunnerContact): ManagerInfo {
  const sent = asHash(info);
  const texts = INFO_TEXTS.map((name) => [name, typeof sent[name] === 'string' ? cut(sent[name]) : null] as const);
  return {
    ...(Object.fromEntries(texts) as Record<(typeof INFO_TEXTS)[number], string | null>),
    features: readFeatures(sent.features),
    ip_address: ip,
  };
}

interface Manager {
  runnerId: number;
  systemId: string;
  now: Date;
}
type Contact = Manager & { features: string } & {
  [Name in (typeof INFO_TEXTS)[number] | 'ip_address']: string | null;
};

/** At most as often as a manager's contact, whichever manager it was. */
const touchRunner = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<Manager & { since: Date }>) =>
  db
    .updateTable('runners as r')
    .set({ contacted_at: cast(values.now, 'timestamptz') })
    .where('r.id', '=', cast(values.runnerId, 'bigint'))
    .where((eb) =>
      eb.or([eb('r.contacted_at', 'is', null), eb('r.contacted_at', '<=', cast(values.since, 'timestamptz'))]),
    ),
);

/** What was not sent stays as it is stored. */
const updateManager = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<Contact>) =>
  db
    .updateTable('runner_managers as m')
    .set((eb) => ({
      version: eb.fn.coalesce(cast(values.version, 'text'), 'm.version'),
      revision: eb.fn.coalesce(cast(values.revision, 'text'), 'm.revision'),
      platform: eb.fn.coalesce(cast(values.platform, 'text'), 'm.platform'),
      architecture: eb.fn.coalesce(cast(values.architecture, 'text'), 'm.architecture'),
      executor: eb.fn.coalesce(cast(values.executor, 'text'), 'm.executor'),
      ip_address: eb.fn.coalesce(cast(values.ip_address, 'text'), 'm.ip_address'),
      features: eb
        .case()
        .when(cast(values.features, 'text'), '=', constant(NO_FEATURES))
        .then(eb.ref('m.features'))
        .else(cast<never>(values.features as never, 'jsonb'))
        .end(),
      contacted_at: cast(values.now, 'timestamptz'),
      updated_at: cast(values.now, 'timestamptz'),
    }))
    .where('m.runner_id', '=', cast(values.runnerId, 'bigint'))
    .where('m.system_id', '=', cast(values.systemId, 'text'))
    .returning(columns(RunnerManager, 'm')),
);

/** Whether the runner has as many new managers as it may have. */
const countNew = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<{ runnerId: number; since: Date }>) =>
  db
    .selectFrom('runner_managers as m')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('m.runner_id', '=', cast(values.runnerId, 'bigint'))
    .where('m.created_at', '>', cast(values.since, 'timestamptz')),
);

const insertManager = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<Manager>) =>
  db
    .insertInto('runner_managers')
    .columns(['runner_id', 'system_id', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('runners as r')
        .select([
          'r.id as runner_id',
          cast(values.systemId, 'text').as('system_id'),
          cast(values.now, 'timestamptz').as('created_at'),
          cast(values.now, 'timestamptz').as('updated_at'),
        ])
        .where('r.id', '=', cast(values.runnerId, 'bigint')),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** @throws RateLimited, Forbidden where the runner was deleted meanwhile */
async function writeContact(db: Queryable, contact: Contact): Promise<RunnerManager> {
  const { runnerId, systemId, now } = contact;
  const before = (ms: number) => new Date(now.getTime() - ms);
  await touchRunner(db, { runnerId, systemId, now, since: before(CONTACT_EVERY_MS) });
  const [known] = await updateManager(db, contact);
  if (known) return known;
  const [recent] = await countNew(db, { runnerId, since: before(NEW_MANAGERS_WITHIN_MS) });
  if ((recent?.count ?? 0) >= NEW_MANAGERS) throw new RateLimited(NEW_MANAGERS_WITHIN_MS / 1000);
  await insertManager(db, { runnerId, systemId, now });
  const [created] = await updateManager(db, contact);
  if (!created) throw new Forbidden();
  return created;
}

interface Remembered {
  readonly manager: RunnerManager;
  /** What was sent, as one text. */
  readonly sent: string;
  readonly at: Date;
}

/** The managers that a process has heard of, by runner and `system_id`. */
const remembered = new WeakMap<Services, LRUCache<string, Remembered>>();

function getRemembered(services: Services): LRUCache<string, Remembered> {
  let managers = remembered.get(services);
  if (!managers) {
    managers = new LRUCache({
      maxSize: REMEMBERED_BYTES,
      sizeCalculation: ({ sent }) => sent.length * BYTES_A_CHARACTER + OVERHEAD_BYTES,
    });
    remembered.set(services, managers);
  }
  return managers;
}

/**
 * Records that a runner's program made contact, and what it sent of itself, with the runner's own last contact. Nothing
 * is sent to the database while what is written is less than 40 seconds old and nothing else was sent.
 * @returns the manager as stored, which another process may have deleted since: to refer to it, select its id
 * @throws RateLimited for more than 1,000 new managers of a runner in 10 minutes, Forbidden if the runner is gone
 */
export async function touchRunnerManager(
  ctx: Context<Caller>,
  runner: Pick<Runner, 'id'>,
  contact: RunnerContact,
): Promise<RunnerManager> {
  const systemId = cut(contact.system_id ?? '') || UNNAMED_SYSTEM;
  const now = ctx.clock.now();
  const { features, ...info } = readInfo(contact);
  const values = { ...info, runnerId: runner.id, systemId, features: JSON.stringify(features) };
  const sent = JSON.stringify(values);
  const managers = getRemembered(ctx.services);
  const key = `${runner.id} ${systemId}`;
  const last = managers.get(key);
  if (last?.sent === sent && now.getTime() - last.at.getTime() < CONTACT_EVERY_MS) return last.manager;
  const manager = await writeContact(ctx.inTransaction ? ctx : ctx.services.db, { ...values, now });
  ctx.afterCommit(() => managers.set(key, { manager, sent, at: now }));
  return manager;
}

/** Forgets a manager that was deleted, so that its next contact makes it anew. */
export function forgetRunnerManager(ctx: Context<Caller>, runnerId: number, systemId: string): void {
  getRemembered(ctx.services).delete(`${runnerId} ${cut(systemId)}`);
}
