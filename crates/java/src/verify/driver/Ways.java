package heapwright.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jacoco.cli.internal.asm.ClassReader;
import org.jacoco.cli.internal.asm.ClassVisitor;
import org.jacoco.cli.internal.asm.ClassWriter;
import org.jacoco.cli.internal.asm.Label;
import org.jacoco.cli.internal.asm.MethodVisitor;
import org.jacoco.cli.internal.asm.Opcodes;

/**
 * Makes a class say which way its conditional jumps and switches go. JaCoCo counts branches, and
 * notices them only at its next probe; what is said here is exact, and said before the jump.
 *
 * <p>JaCoCo has been there before. It keeps every jump, in the same order, but turns the condition
 * of some around in order to have room for a probe; so each jump is compared with the original.
 * Nothing that is added jumps, so the frames stay as they are.
 */
final class Ways {
    private static final int API = Opcodes.ASM9;

    private final String probes;
    private final Map<String, List<Integer>> original;
    private final Map<String, List<Integer>> instrumented;
    private int next;

    /** For each method whose jumps are numbered: name, descriptor, first number, kinds of jumps. */
    final List<Object[]> methods = new ArrayList<>();

    /** The class file that says so. */
    final byte[] classFile;

    /** Gives the jumps of a class numbers from a first one on. */
    Ways(byte[] before, byte[] after, String probes, int first) {
        this.probes = probes.replace('.', '/');
        original = jumps(before);
        instrumented = jumps(after);
        next = first;
        ClassReader reader = new ClassReader(after);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Classes(writer), 0);
        classFile = writer.toByteArray();
    }

    /** The first number that is free. */
    int next() {
        return next;
    }

    /** The opcodes of the jumps of each method, in order. */
    private static Map<String, List<Integer>> jumps(byte[] classFile) {
        Map<String, List<Integer>> found = new HashMap<>();
        ClassVisitor classes = new ClassVisitor(API) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                List<Integer> jumps = new ArrayList<>();
                found.put(name + descriptor, jumps);
                return new MethodVisitor(API) {
                    @Override
                    public void visitJumpInsn(int opcode, Label label) {
                        if (isConditional(opcode)) {
                            jumps.add(opcode);
                        }
                    }

                    @Override
                    public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
                        jumps.add(Opcodes.TABLESWITCH);
                    }

                    @Override
                    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
                        jumps.add(Opcodes.LOOKUPSWITCH);
                    }
                };
            }
        };
        new ClassReader(classFile).accept(classes, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found;
    }

    private static boolean isConditional(int opcode) {
        return opcode != Opcodes.GOTO && opcode != Opcodes.JSR;
    }

    private static boolean isSwitch(int opcode) {
        return opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH;
    }

    /** The jump that is taken where another one is not. */
    private static int inverted(int opcode) {
        if (isSwitch(opcode)) {
            return opcode;
        }
        if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
            return opcode == Opcodes.IFNULL ? Opcodes.IFNONNULL : Opcodes.IFNULL;
        }
        // IFEQ, IFNE and so on are pairs of an odd and the next even number.
        return (opcode + 1 ^ 1) - 1;
    }

    /** One letter for each jump, or null if they are not those of the original. */
    private String kinds(String method) {
        List<Integer> before = original.get(method);
        List<Integer> after = instrumented.get(method);
        if (before == null || after == null || before.size() != after.size()) {
            return null;
        }
        StringBuilder kinds = new StringBuilder();
        for (int i = 0; i < before.size(); i++) {
            int one = before.get(i);
            int other = after.get(i);
            if (isSwitch(one) && isSwitch(other)) {
                kinds.append('s');
            } else if (one == other) {
                kinds.append('j');
            } else if (inverted(one) == other) {
                kinds.append('i');
            } else {
                return null;
            }
        }
        return kinds.toString();
    }

    private final class Classes extends ClassVisitor {
        private Classes(ClassVisitor next) {
            super(API, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
            String kinds = kinds(name + descriptor);
            if (kinds == null) {
                return code;
            }
            methods.add(new Object[] {name, descriptor, next, kinds});
            int first = next;
            next += kinds.length();
            return new Body(code, first);
        }
    }

    private final class Body extends MethodVisitor {
        private int number;

        private Body(MethodVisitor next, int first) {
            super(API, next);
            number = first;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (isConditional(opcode)) {
                if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
                    super.visitInsn(Opcodes.DUP);
                    say("reference", "(Ljava/lang/Object;II)V", opcode);
                } else if (opcode == Opcodes.IF_ACMPEQ || opcode == Opcodes.IF_ACMPNE) {
                    super.visitInsn(Opcodes.DUP2);
                    say("references", "(Ljava/lang/Object;Ljava/lang/Object;II)V", opcode);
                } else if (opcode >= Opcodes.IF_ICMPEQ) {
                    super.visitInsn(Opcodes.DUP2);
                    say("numbers", "(IIII)V", opcode);
                } else {
                    super.visitInsn(Opcodes.DUP);
                    say("number", "(III)V", opcode);
                }
            }
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
            choice();
            super.visitTableSwitchInsn(min, max, other, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            choice();
            super.visitLookupSwitchInsn(other, keys, labels);
        }

        private void choice() {
            super.visitInsn(Opcodes.DUP);
            super.visitLdcInsn(number++);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, probes, "choice", "(II)V", false);
        }

        private void say(String method, String descriptor, int opcode) {
            super.visitLdcInsn(opcode);
            super.visitLdcInsn(number++);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, probes, method, descriptor, false);
        }
    }
}
