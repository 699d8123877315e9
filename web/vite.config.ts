import { defineConfig } from "vite";

// The program embeds three files by name, so names have no hashes and no assets are inlined.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    cssTarget: "esnext",
    cssCodeSplit: false,
    sourcemap: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "app.js",
        assetFileNames: "app.[ext]",
      },
    },
  },
});
