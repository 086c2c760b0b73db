/** `Failed to save group {:path=>["has already been taken"]}`, as the public API says it: the broken rules by field. */
export function rulesInText(message: string): Record<string, string[]> {
  const found = [...message.matchAll(/:(\w+)=>\[(".*?")\](?=[,}])/g)];
  return Object.fromEntries(found.map(([, name, texts]) => [name, JSON.parse(`[${texts}]`) as string[]]));
}
