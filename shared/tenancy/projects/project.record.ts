import type { Namespace } from '../namespaces/namespace.entity.js';
import type { Project } from './project.entity.js';

/** A project as a caller sees it: with its namespace, its full path, and the caller's access. */
export interface ProjectRecord extends Project {
  full_path: string;
  full_name: string;
  access: number;
  namespace: Namespace & { full_path: string };
  /** What it was ordered by, in lists that are ordered by something beside the record. */
  ordering?: number;
  /** Whether groups are invited to it. */
  shared: boolean;
}
