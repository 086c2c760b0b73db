import type { ContainerKind } from '../../core/operations/container.js';

/** The project or group in which an issue is displayed. */
export interface ReferenceBase {
  readonly kind: ContainerKind;
  readonly full_path: string;
}

const getParent = (path: string) => path.slice(0, path.lastIndexOf('/'));
const getName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * How an issue or merge request is referenced elsewhere, by its number with its prefix: `#5` within its own project,
 * `project#5` within its namespace, `group/project#5` from anywhere else or without a context.
 */
export function referenceFrom(from: ReferenceBase | undefined, fullPath: string, number: string): string {
  if (!from) return `${fullPath}${number}`;
  if (from.kind === 'project' && from.full_path === fullPath) return number;
  const namespace = from.kind === 'project' ? getParent(from.full_path) : from.full_path;
  return getParent(fullPath) === namespace ? `${getName(fullPath)}${number}` : `${fullPath}${number}`;
}
