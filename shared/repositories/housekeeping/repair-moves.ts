import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ANONYMOUS } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { Services } from '../../core/context/context.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { movesFolder } from '../repositories/ref-moves.js';
import type { MovePurpose } from '../repositories/ref-moves.js';
import { removeRepositories } from '../repositories.jobs.js';
import { lapsedNotes, readyNotes, settleNotes } from './move-notes.js';
import { repairContentMoves } from './repair-contents.js';
import { reindexRepository } from './reindex-repository.js';

/** Delay before retrying a failed check. */
const AGAIN_MS = 60_000;

/** The purpose in a note; null for an empty note, and for one truncated before git was called. */
function purposeIn(text: string): MovePurpose | null {
  if (text === '') return null;
  try {
    return JSON.parse(text) as MovePurpose;
  } catch {
    return null;
  }
}

/**
 * Detects moves of refs that were started and neither committed nor rolled back, because their process or transaction
 * ended in between, and rebuilds the index of their repositories. Two polls decide: a note present at both, while the
 * project is not locked, belongs to such a move. Any number of processes may poll; one at a time rebuilds a repository.
 */
export class MoveRepairer {
  /** Notes that were there at the last poll. */
  #previous = new Set<string>();
  readonly #notBefore = new Map<number, number>();

  constructor(private readonly services: Services) {}

  /** Polls once. @returns the ids of projects whose index differed from git and was rebuilt */
  async poll(): Promise<number[]> {
    const names = await readdir(movesFolder(this.#context())).catch(() => [] as string[]);
    const due = names.filter((name) => this.#previous.has(name));
    this.#previous = new Set(names);
    await this.#repairContents(due);
    const repaired: number[] = [];
    for (const [id, notes] of Map.groupBy(due, (name) => Number.parseInt(name, 10))) {
      if (Number.isNaN(id) || (this.#notBefore.get(id) ?? 0) > performance.now()) continue;
      try {
        if (await this.#repair(id, notes)) repaired.push(id);
        this.#notBefore.delete(id);
      } catch (error) {
        this.#notBefore.set(id, performance.now() + AGAIN_MS);
        this.services.log.warn({ err: error, project_id: id }, 'repository.repair_failed');
      }
    }
    return repaired;
  }

  /** The same of repositories that are no project's. */
  async #repairContents(names: readonly string[]): Promise<void> {
    try {
      await repairContentMoves(this.#context(), names);
    } catch (error) {
      this.services.log.warn({ err: error }, 'repository.repair_failed');
    }
  }

  #context(): Context {
    return new Context(this.services, ANONYMOUS);
  }

  async #repair(id: number, notes: readonly string[]): Promise<boolean> {
    const ctx = this.#context();
    const files = notes.map((name) => path.join(movesFolder(ctx), name));
    const ready = await readyNotes(files);
    if (ready.length === 0) return false;
    const found = await reindexRepository(ctx, id, { wait: 'skip' });
    if (!found) {
      await this.#forgetUnlessThere(ctx, id, ready);
      return false;
    }
    await this.#recordPurposes(ctx, id, ready);
    const { changes, record } = found;
    if (changes.length > 0 || record) {
      const refs = changes.slice(0, 10).map(({ fullName }) => fullName);
      this.services.log.warn({ project_id: id, differed: changes.length, refs }, 'repository.repaired');
      // More changes may follow, so the same notes are checked again.
      return true;
    }
    await settleNotes(ready);
    return false;
  }

  /** Records the unfinished work of moves whose writer died. */
  async #recordPurposes(ctx: Context, id: number, files: readonly string[]): Promise<void> {
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
    const purposes = texts.flatMap((text) => purposeIn(text) ?? []);
    if (purposes.length === 0) return;
    await ctx.transaction(() => {
      for (const purpose of purposes) ctx.record({ type: 'repository.move_left', project_id: id, purpose });
      return Promise.resolve();
    });
  }

  /**
   * A project locked by another transaction is left to the next poll; if it was never created, or was deleted, its
   * notes and files are removed.
   */
  async #forgetUnlessThere(ctx: Context, id: number, files: readonly string[]): Promise<void> {
    if ((await ctx.em.count(Project, { id })) > 0) return;
    const old = await lapsedNotes(files);
    if (old.length === 0) return;
    await ctx.transaction(() => ctx.jobs.send(removeRepositories, { project_id: id }));
    await Promise.all(old.map((file) => rm(file, { force: true })));
  }
}
