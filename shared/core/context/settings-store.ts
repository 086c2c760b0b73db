import { expressionBuilder } from 'kysely';
import type { z } from 'zod';
import type { Channels } from '../database/channels.js';
import type { Queryable } from '../database/database.js';
import type { Logger } from '../log/log.js';
import { anyOf } from '../database/expressions.js';

/** One setting of the instance: its schema, its default, and its effect. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  readonly field: S;
  readonly default: z.output<S>;
  readonly docs: string;
  /** Its value is stored encrypted and never returned to clients. */
  readonly secret?: true;
}

export type Declarations = Readonly<Record<string, Setting>>;

/** The values of declared settings, by name. */
export type ValuesOf<D extends Declarations> = { readonly [K in keyof D]: z.output<D[K]['field']> };

/** Declares one setting. */
export function setting<S extends z.ZodType>(field: S, fallback: z.output<S>, docs: string): Setting<S> {
  return { field, default: fallback, docs };
}

/** Only what differs from its default is stored. */
export interface StoredSetting {
  name: string;
  value: unknown;
}

/**
 * Notifies all processes of a changed setting, regardless of the author of the change: a trigger on the table sends it.
 */
const SETTINGS_CHANNEL = 'capstan_settings';
/** After a read that failed: well under the second in which every process follows a change. */
const TRY_AGAIN_MS = 400;

const stored = expressionBuilder<{ instance_settings: StoredSetting }>();

/**
 * Settings that differ from their defaults, read on the pool or within a transaction: the settings in `names`, or all.
 */
export function readStoredSettings(db: Queryable, names?: readonly string[]): Promise<StoredSetting[]> {
  const all = stored.selectFrom('instance_settings as s').select(['s.name', 's.value']).orderBy('s.name');
  return db.query<StoredSetting>(names ? all.where('s.name', '=', anyOf(names, 'text')) : all);
}

/**
 * The instance settings as this process knows them. Reading one costs nothing: the values are cached and read again
 * after a change notification, so that no request needs a query for them and every process applies a change
 * immediately.
 */
export class SettingsStore<V extends object> {
  #current: V;
  #serialized = '';
  /** Moves with every local change: a read that began before it is out of date. */
  #changes = 0;
  #reading: Promise<void> | null = null;
  /** Something may have changed after the read in hand began. */
  #readAgain = false;
  #retry: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #failing = false;

  constructor(
    private readonly declared: Declarations,
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {
    this.#current = this.valuesFrom([]);
  }

  get current(): V {
    return this.#current;
  }

  /** Reads the settings now, and again whenever one was changed where there are channels to hear of that. */
  async start(channels: Channels | null): Promise<void> {
    this.#take(await this.#read());
    const refresh = () => void this.refresh();
    this.#unsubscribe = channels?.hear(SETTINGS_CHANNEL, { onNotification: refresh, onConnected: refresh });
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#retry);
    await this.#reading;
  }

  /** Reads the settings again, as they are now. A database that is away leaves them as they are. */
  refresh(): Promise<void> {
    this.#readAgain = true;
    return (this.#reading ??= this.#readUntilQuiet());
  }

  async #readUntilQuiet() {
    while (this.#readAgain) {
      this.#readAgain = false;
      await this.#readOnce();
    }
    // In the same step as the last test of the flag: who sets it after that starts a read of its own.
    this.#reading = null;
  }

  /** Takes over what this process has just committed, without waiting for the next read. */
  apply(rows: readonly StoredSetting[]): void {
    this.#changes += 1;
    this.#take(rows.filter(({ name }) => Object.hasOwn(this.declared, name)));
  }

  /** Settings that this process does not read are not loaded: they are unused and may be large. */
  #read(): Promise<StoredSetting[]> {
    return readStoredSettings(this.db, Object.keys(this.declared));
  }

  async #readOnce() {
    const changes = this.#changes;
    try {
      const rows = await this.#read();
      if (changes === this.#changes) this.#take(rows);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.log.warn({ err: error }, 'settings could not be read; the last ones stay');
      this.#failing = true;
      if (this.#unsubscribe) this.#tryAgain();
    }
  }

  #tryAgain() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.refresh(), TRY_AGAIN_MS).unref();
  }

  #take(rows: readonly StoredSetting[]) {
    const serialized = JSON.stringify(rows);
    if (serialized === this.#serialized) return;
    this.#serialized = serialized;
    this.#current = this.valuesFrom(rows);
  }

  /**
   * The value of every setting, from the stored rows. Settings whose stored value this version does not accept use
   * their default; unknown ones are ignored.
   */
  valuesFrom(rows: readonly StoredSetting[]): V {
    const stored = new Map(rows.map((row) => [row.name, row.value]));
    const values = Object.entries(this.declared).map(([name, { field, default: fallback }]) => {
      if (!stored.has(name)) return [name, fallback];
      const parsed = field.safeParse(stored.get(name));
      if (!parsed.success) this.log.warn({ setting: name }, 'a stored setting is not valid; its default is used');
      return [name, parsed.success ? parsed.data : fallback];
    });
    return Object.freeze(Object.fromEntries(values)) as V;
  }
}
