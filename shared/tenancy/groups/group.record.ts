import type { Namespace } from '../namespaces/namespace.entity.js';
import type { GroupSettings } from './group-settings.entity.js';

/** A group as a caller sees it: with its full path, its settings, and the caller's access. */
export interface GroupRecord extends Namespace {
  full_path: string;
  full_name: string;
  access: number;
  /** Whether the caller belongs to something in or below it. */
  below: boolean;
  settings: GroupSettings;
}
