import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../../data/session.js';
import sections from './sections.json';

/** What has settings of its own. */
export type SettingsOf = keyof typeof sections;

interface Schema {
  type?: string | readonly string[];
  enum?: readonly string[];
  anyOf?: readonly { type?: string }[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema & { description?: string }>>;
  minimum?: number;
}

/** One setting as the API declares it: what may be sent, and what it steers. */
export interface Setting {
  schema: Schema;
  docs: string;
  default?: unknown;
  secret?: true;
}

type Declared = Readonly<Record<SettingsOf, Readonly<Record<string, Setting>>>>;

/** Every setting that the API takes. It changes with the service alone. */
export const declaredQuery = queryOptions({
  queryKey: ['declared-settings'],
  queryFn: () => ask<Declared>('GET', '/-/api-docs/settings.json'),
  staleTime: Infinity,
});

/** A part of a page of settings: labels by the names of settings. A name with a dot is a part of one. */
export interface Part {
  title: string;
  lead: string;
  settings: Readonly<Record<string, string>>;
}

/** The arrangement of the settings, and the roles they are displayed to (`sections.json`). */
export const arranged = (of: SettingsOf) =>
  sections[of] as unknown as {
    sections: readonly Part[];
    /** Others than Owners are not offered them. */
    owners: readonly string[];
    /** Of others the API ignores them. */
    administrators: readonly string[];
  };

/** The declaration of a setting, or of a part of one. */
export function findSetting(declared: Declared, of: SettingsOf, name: string): Setting | null {
  const [whole = '', part] = name.split('.');
  const found = declared[of][whole];
  if (!found || part === undefined) return found ?? null;
  const schema = found.schema.properties?.[part];
  return schema ? { schema, docs: schema.description ?? '' } : null;
}
