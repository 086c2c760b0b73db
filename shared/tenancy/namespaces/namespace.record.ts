import type { Namespace } from './namespace.entity.js';

/** A namespace as a caller sees it. */
export interface NamespaceRecord extends Namespace {
  full_path: string;
  full_name: string;
  access: number;
  /** Whether the caller belongs to something in or below it. */
  below: boolean;
  /** Whether its removal has begun. */
  removing: boolean;
  /** The picture of the person whose namespace it is. */
  owner_avatar: string | null;
}

export interface NamespaceCounts {
  members: number;
  projects: number;
  /** Bytes. */
  repositories: number;
}
