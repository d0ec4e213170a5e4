package heapwright.verify;

import org.jacoco.cli.internal.asm.ClassReader;
import org.jacoco.cli.internal.asm.ClassVisitor;
import org.jacoco.cli.internal.asm.ClassWriter;
import org.jacoco.cli.internal.asm.Label;
import org.jacoco.cli.internal.asm.MethodVisitor;
import org.jacoco.cli.internal.asm.Opcodes;

/**
 * Makes the methods of a test class say when they begin and end, so that what JUnit itself does
 * with the classes of the JDK does not count. Constructors are left as they are.
 */
final class Guard extends ClassVisitor {
    private static final int API = Opcodes.ASM9;

    private final String probes;

    private Guard(String probes, ClassVisitor next) {
        super(API, next);
        this.probes = probes.replace('.', '/');
    }

    /** The class file with guards. */
    static byte[] add(byte[] classFile, String probes) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Guard(probes, writer), 0);
        return writer.toByteArray();
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
        return hasCode && !name.startsWith("<") ? new Body(next) : next;
    }

    private final class Body extends MethodVisitor {
        private final Label begin = new Label();

        private Body(MethodVisitor next) {
            super(API, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            say("enter");
            super.visitLabel(begin);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                say("leave");
            }
            super.visitInsn(opcode);
        }

        /** Exceptions that leave the method are caught and thrown again, after all other handlers. */
        @Override
        public void visitMaxs(int stack, int locals) {
            Label end = new Label();
            super.visitLabel(end);
            super.visitTryCatchBlock(begin, end, end, null);
            Object[] thrown = {"java/lang/Throwable"};
            super.visitFrame(Opcodes.F_FULL, 0, null, thrown.length, thrown);
            say("leave");
            super.visitInsn(Opcodes.ATHROW);
            super.visitMaxs(stack, locals);
        }

        private void say(String method) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, probes, method, "()V", false);
        }
    }
}
