import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Repository } from '../../git/index.js';
import type { ContentRef } from '../repositories/content-ref.js';

/** A repository that is no project's, as a caller may fetch from it and push to it. */
export interface GitContent {
  readonly contentRef: ContentRef;
  /** By which it is served now, without `.git`. */
  readonly fullPath: string;
  /** Message why the caller may not fetch from it; null if they may. */
  readonly unreadable: string | null;
  /** Message why the caller may not push to it; null if they may. */
  readonly unwritable: string | null;
  /** Message why a commit may not become its content; null if it may. */
  findRejection(repository: Repository, sha: string): Promise<string | null>;
}

/** Finds the repository of a path. @throws NotFound if it is missing or hidden */
type FindContent = (ctx: Context<Caller>) => Promise<GitContent>;
type ContentSource = (fullPath: string) => FindContent | null;

const sources: ContentSource[] = [];

/**
 * Has git served of what lies in a higher domain. Called where its registry is made.
 * @param source by a full path without `.git`; null for one that can be none of its own
 */
export function addGitContent(source: ContentSource): void {
  sources.push(source);
}

/** The finder for a repository at a path; null if the path is for a project's repository. */
export function getGitContent(fullPath: string): FindContent | null {
  for (const source of sources) {
    const find = source(fullPath);
    if (find) return find;
  }
  return null;
}
