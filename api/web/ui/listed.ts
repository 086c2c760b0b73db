/** What a field lists, separated by commas, each once: titles, or user names with or without their `@`. */
export const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim().replace(/^@/, ''))
      .filter((part) => part !== ''),
  ),
];
