/**
 * The texts of a form that differ from what was there, so that no one else's change is undone. Fields that are not
 * offered say nothing.
 */
export function changedTexts<Name extends string>(
  values: FormData,
  before: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const changed: Partial<Record<Name, string>> = {};
  // Browsers send the ends of lines as two characters.
  const asOne = (text: string) => text.replaceAll('\r\n', '\n');
  for (const [name, was] of Object.entries(before) as [Name, string][]) {
    const entry = values.get(name);
    if (typeof entry !== 'string') continue;
    // Spaces at the begin of Markdown mean something.
    const now = name === 'description' ? asOne(entry) : entry.trim();
    if (now !== asOne(was)) changed[name] = now;
  }
  return changed;
}
