import { countKey, getScopes } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Services } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import type { DeniedRequest } from '../../core/values/errors.js';
import { findDenial } from '../../core/operations/denials.js';
import type { Denial } from '../../core/operations/denials.js';
import { jsonRows } from '../../core/database/expressions.js';
import { prepareStatement } from '../../core/database/prepared.js';
import type { InstanceDatabase } from '../instance.entities.js';
import type { RefusedRequest } from './refused-request.entity.js';

/** Refusals within this time are written together, in milliseconds. */
const WRITE_MS = 1000;
/** Maximum rows of one write, and of one caller among them: a caller with more refusals already knows about them. */
const MOST_ROWS = 200;
const MOST_OF_CALLER = 20;

type Row = Record<string, unknown>;

function callerRow(caller: Caller | undefined): Row {
  return {
    user_id: caller?.kind === 'user' ? caller.id : null,
    caller_kind: caller?.kind ?? 'unknown',
    token_kind: caller?.token?.kind ?? null,
    token_scopes: (caller && getScopes(caller)) ?? null,
  };
}

function operationRow(denial: Denial | undefined): Row {
  const operation = denial?.operation;
  return {
    operation: operation?.name ?? null,
    accepted_scopes: operation?.scopes ?? [],
    ability: operation?.ability ?? null,
    required_plan: operation?.plan ?? null,
    access: denial?.access ?? null,
  };
}

const TYPES = {
  request_id: 'text',
  caller_kind: 'text',
  token_kind: 'text',
  token_scopes: 'text[]',
  operation: 'text',
  route: 'text',
  status: 'smallint',
  check: 'text',
  accepted_scopes: 'text[]',
  ability: 'text',
  required_role: 'text',
  required_plan: 'text',
  access: 'smallint',
  hidden: 'boolean',
  created_at: 'timestamptz',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** Users, who lie in a domain above. */
interface Users {
  users: { id: number };
}

/** The user of a row is set to null if deleted meanwhile. */
const insertRows = prepareStatement<InstanceDatabase & Users, { rows: string }>((db, { rows }) =>
  db
    .insertInto('refused_requests')
    .columns(['user_id', ...COLUMNS])
    .expression((eb) =>
      eb
        .selectFrom(jsonRows<Omit<RefusedRequest, 'id'>>(rows, { ...TYPES, user_id: 'bigint' }).as('x'))
        .leftJoin('users as u', 'u.id', 'x.user_id')
        .select('u.id')
        .select(COLUMNS.map((name) => `x.${name}` as const)),
    ),
);

/**
 * Records why requests were refused, so that users can look it up by the request id. Rows are written asynchronously, a
 * bounded number each second; the excess is dropped.
 */
export class DenialLog {
  #rows: Row[] = [];
  #ofCaller = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly services: Services) {
    services.logDenial = (error, at) => this.note(error, at);
  }

  /** Writes from now on by itself. */
  start(): void {
    this.#timer = setInterval(() => void this.written(), WRITE_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Notes a refusal, to be written soon; any other error is none. */
  private note(error: unknown, at: DeniedRequest): void {
    const denial = findDenial(error);
    const check = denial?.check ?? at.check;
    if (!check) return;
    const caller = denial?.caller;
    const key = caller ? countKey(caller, at.ip) : `unknown ${at.ip}`;
    const noted = this.#ofCaller.get(key) ?? 0;
    if (noted >= MOST_OF_CALLER || this.#rows.length >= MOST_ROWS) return;
    this.#ofCaller.set(key, noted + 1);
    this.#rows.push({
      ...callerRow(caller),
      ...operationRow(denial),
      request_id: at.requestId,
      route: at.route,
      status: at.status,
      required_role: at.requiredRole,
      check,
      hidden: error instanceof NotFound ? error.hidden : null,
      created_at: this.services.clock.now(),
    });
  }

  /** Waits until what was noted so far is written. */
  written(): Promise<void> {
    const rows = this.#rows.splice(0);
    this.#ofCaller.clear();
    if (rows.length > 0)
      this.#writing = this.#writing
        .then(() => this.#write(rows))
        .catch((error: unknown) => this.services.log.warn({ err: error }, 'refused requests were not noted'));
    return this.#writing;
  }

  /** By one statement. */
  async #write(rows: readonly Row[]): Promise<void> {
    await this.services.db.query(insertRows({ rows: JSON.stringify(rows) }));
  }
}
