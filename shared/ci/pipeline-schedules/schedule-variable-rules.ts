export const VARIABLE_TYPES = ['env_var', 'file'] as const;
const MAX_KEY = 255;

/** Rules about the key of a variable, blanks around it cut off (pipeline-schedules.md section 4). */
export function keyProblems(key: string): string[] {
  const problems: string[] = [];
  if (key === '') problems.push("can't be blank");
  if (key.length > MAX_KEY) problems.push(`is too long (maximum is ${MAX_KEY} characters)`);
  if (!/^[A-Za-z0-9_]+$/.test(key)) problems.push("can contain only letters, digits and '_'.");
  return problems;
}
