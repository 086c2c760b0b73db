const CHARACTERS = 51;

/**
 * The name of an archive's file: `2026-11-20_20-05-123_team_tools_export.tar.gz`, of hour, minute and milliseconds,
 * cut before its ending (group-export-import.md section 2.9).
 */
export function archiveName(time: Date, fullPath: string): string {
  // 2026-11-20T20:05:07.123Z
  const iso = time.toISOString();
  const stamp = `${iso.slice(0, 10)}_${iso.slice(11, 13)}-${iso.slice(14, 16)}-${iso.slice(20, 23)}`;
  return `${`${stamp}_${fullPath.replaceAll('/', '_')}`.slice(0, CHARACTERS)}_export.tar.gz`;
}
