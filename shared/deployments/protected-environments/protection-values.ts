import type { ContainerKind } from '../../core/operations/container.js';

/** The tiers that environments have. */
const TIERS = ['production', 'staging', 'testing', 'development', 'other'];

const MAX_NAME = 255;
const MAX_COUNT = 5;

/** What is wrong with the name of a protected environment (protected-environments.md section 4). */
export function nameProblems(kind: ContainerKind, name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  if (kind === 'group')
    return TIERS.includes(name) ? [] : [`Name must be one of environment tiers: ${TIERS.join(', ')}.`];
  return [...name].length > MAX_NAME ? [`Name is too long (maximum is ${MAX_NAME} characters)`] : [];
}

/** What is wrong with the number of approvals. */
export function countProblems(count: number): string[] {
  if (count < 0) return ['Required approval count must be greater than or equal to 0'];
  return count > MAX_COUNT ? [`Required approval count must be less than or equal to ${MAX_COUNT}`] : [];
}
