/**
 * The Chinese fonts that come with the product: Noto Sans SC and Noto Serif SC with TrueType outlines, all of GBK. Fonts of
 * the system mostly have CFF outlines, which Chromium writes into a PDF as Type 3: some journals refuse such files.
 */
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const FAMILIES = [
  { name: 'noto-sans-sc', file: 'NotoSansSC' },
  { name: 'noto-serif-sc', file: 'NotoSerifSC' },
];
const WEIGHTS = ['400Regular', '700Bold'];

/** Empty where the packages are not installed: the fonts of the system do instead. */
export const OWN_FONTS: readonly string[] = FAMILIES.flatMap(({ name, file }) => {
  const folder = folderOf(`@expo-google-fonts/${name}`);
  return WEIGHTS.map((weight) => join(folder, weight, `${file}_${weight}.ttf`)).filter((path) => existsSync(path));
});

function folderOf(name: string): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return '';
  }
}

/**
 * What a browser must be told to find them, as variables of its process. They lie in the job's folder: a browser that runs
 * as nobody may not look into the product's.
 */
export async function fontVariables(scratch: string): Promise<Record<string, string>> {
  if (OWN_FONTS.length === 0) return {};
  const folder = join(scratch, 'fonts');
  await mkdir(folder, { mode: 0o755 });
  for (const path of OWN_FONTS) {
    const place = join(folder, basename(path));
    // Another disk takes no link.
    await link(path, place).catch(() => copyFile(path, place));
  }
  const config = join(folder, 'fonts.conf');
  await writeFile(config, CONFIG(folder), { mode: 0o644 });
  return { FONTCONFIG_FILE: config };
}

const CONFIG = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}</dir>
</fontconfig>
`;
