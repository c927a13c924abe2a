/**
 * The public interface of the codec: photos in, finished JPEGs out. Import nothing else of this package.
 *
 *     const { original, watermarked, width, height } = processPhoto(bytes, { maxSide: 1920, watermark })
 *     const { image, thumb } = processPanorama(bytes)
 *     const { bytes: small } = await resizePhoto(bytes, { width: 640, format: 'webp' })
 *
 * Every call throws a PhotoError for a picture that it refuses. All work is synchronous; `resizePhoto` only waits for its
 * encoder to be ready.
 */

export { codecMemory } from './codec-instance.ts'
export { detectType, type PhotoType } from './detect.ts'
export type { PhotoInfo } from './dimensions.ts'
export { CODEC_ERRORS, PhotoError, unsupportedType } from './errors.ts'
export {
  inspectPhoto,
  isWatermarkImage,
  MAX_PHOTO_BYTES,
  type PanoramaOptions,
  type PhotoOptions,
  type ProcessedPanorama,
  type ProcessedPhoto,
  processPanorama,
  processPhoto,
  readPhotoSize,
} from './process.ts'
export {
  MAX_WEBP_SIDE,
  type ResizedPhoto,
  type ResizeOptions,
  releaseCodec,
  resizePhoto,
  type SizeFormat,
  sizeAtWidth,
} from './resize.ts'
