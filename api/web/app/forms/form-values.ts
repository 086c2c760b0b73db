/** The trimmed value of a text field. */
export const textIn = (values: FormData, name: string): string => String(values.get(name) ?? '').trim();

/** The values of the optional text fields that are filled in. */
export function filledIn<Name extends string>(
  values: FormData,
  ...names: readonly Name[]
): Partial<Record<Name, string>> {
  const filled = names.map((name) => [name, textIn(values, name)] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(filled) as Partial<Record<Name, string>>;
}
