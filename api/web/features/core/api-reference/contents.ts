import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../../data/session.js';

export interface Deprecation {
  api: 'REST' | 'GraphQL';
  name: string;
  instead: string;
  since: string;
  removed: string;
  usages: readonly string[];
}

interface LimitGroup {
  title: string;
  rows: readonly { what: string; value: string; beyond: string }[];
}

interface PlannedOperation {
  area: string;
  method: string;
  path: string;
  summary: string;
  plan: 'free' | 'premium' | 'ultimate';
  offerings: readonly string[];
}

export interface ReferenceContents {
  schedule: readonly string[];
  deprecations: readonly Deprecation[];
  limits: readonly LimitGroup[];
  plans: readonly PlannedOperation[];
}

/** The service's deprecations, limits and plans. They only change with the service's version. */
export const referenceQuery = queryOptions({
  queryKey: ['api-reference'],
  queryFn: () => ask<ReferenceContents>('GET', '/-/api-docs/contents.json'),
  staleTime: Infinity,
});

/** Whether a text holds every word that was typed. */
export function holds(text: string, typed: string): boolean {
  const found = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}
