/** A picture made small before it is sent: 256 px square from its middle. */
const SIDE = 256;

/** As data URL; null when the file is no picture the browser can read. */
export async function readPicture(file: File): Promise<string | null> {
  try {
    const image = await createImageBitmap(file);
    const side = Math.min(image.width, image.height);
    const canvas = document.createElement('canvas');
    canvas.width = SIDE;
    canvas.height = SIDE;
    canvas
      .getContext('2d')
      ?.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    image.close();
    return canvas.toDataURL('image/png');
  } catch {
    return null;
  }
}
